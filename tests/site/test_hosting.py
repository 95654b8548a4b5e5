"""What is told of the Git host holds no password."""

from __future__ import annotations

import pytest

from pipeline.site.hosting import read_host


@pytest.mark.parametrize("user", ["dana@", "dana:hunter2@", "gitlab-ci-token:glcbt-1@", "a@b:c@"])
def test_a_user_and_a_password_are_left_out(user: str) -> None:
    host = read_host(f"https://{user}github.com/acme/wiki")
    assert host is not None
    assert host.url == "https://github.com/acme/wiki"
    assert host.commit("1f") == "https://github.com/acme/wiki/commit/1f"
