"""What a study says of itself, and the inputs of all its points, those to be measured too."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select

from warpmill.studies.store import Study
from warpmill.studies.tables import members, points, said, studies, writing


def about(study: Study) -> str:
    """Give what a study says of itself; empty where it says nothing."""
    with said(study.store.url), study.store.engine.connect() as connection:
        words = select(studies.c.about).where(studies.c.id == study.id)
        return str(connection.scalar(words) or "")


def describe(study: Study, text: str) -> None:
    """Let a study say something else of itself."""
    with said(study.store.url), writing(study.store.engine) as connection:
        own = studies.c.id == study.id
        connection.execute(studies.update().where(own).values(about=text))


def all_inputs(study: Study) -> list[dict[str, Any]]:
    """Give the inputs of all points of a study, measured or not, in their order."""
    words = select(points.c.inputs).join(members, members.c.point == points.c.id)
    words = words.where(members.c.study == study.id).order_by(members.c.number)
    with said(study.store.url), study.store.engine.connect() as connection:
        return [json.loads(text) for text in connection.scalars(words)]
