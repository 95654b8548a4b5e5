"""Models that answer from memory: a cache of paid replies, and recordings that people commit."""

from pipeline.models.remembering.recordings import Recordings
from pipeline.models.remembering.remembering import CachingModel, RecordingModel
from pipeline.models.remembering.replaying import ReplayingModel
from pipeline.models.remembering.reply_store import ReplyStore

__all__ = ["CachingModel", "RecordingModel", "Recordings", "ReplayingModel", "ReplyStore"]
