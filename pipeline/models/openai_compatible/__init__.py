"""Owns language models over the OpenAI chat API: asking, counting on nothing, learning what an endpoint can.

Importing it takes a second, for the client library does; nothing else imports that.
"""

from pipeline.models.openai_compatible.endpoint import Endpoint, resolve_endpoint
from pipeline.models.openai_compatible.listing import ModelInfo, list_models
from pipeline.models.openai_compatible.memory import EndpointMemory
from pipeline.models.openai_compatible.model import OpenAiModel

__all__ = ["Endpoint", "EndpointMemory", "ModelInfo", "OpenAiModel", "list_models", "resolve_endpoint"]
