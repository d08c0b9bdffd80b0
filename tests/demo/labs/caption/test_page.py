"""The Caption page: photos in, captions out, and one clear sentence for whatever is not a photo."""

from __future__ import annotations

import io
import math
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.blocks import answer
from demo.given import assets, held, photos
from demo.labs.caption import unseen, view
from demo.labs.how_it_works.notation import number
from demo.query import Asset, Query
from demo.wording import chance
from seq2seq_core.errors import InputError
from tests.demo.captioners import CAPTIONS
from tests.demo.pages import components, equations, errors, moment, open_page, player, result, table, texts

pytestmark = pytest.mark.usefixtures("every_model")


def picture(size: tuple[int, int] = (120, 80), kind: str = "JPEG", mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, size).save(out, kind)
    return out.getvalue()


def upload(at: AppTest, data: bytes, name: str = "photo.jpg") -> AppTest:
    at.file_uploader[0].set_value((name, data, "image/jpeg")).run()
    assert not at.exception
    return at


def source(at: AppTest) -> dict[str, Any]:
    found = player(at)
    assert found is not None
    return dict(found["player"]["parts"][0])


def test_a_link_to_a_sample_shows_its_caption_and_its_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demo.blocks.answer.trained_on", lambda _: "two photos")
    at = open_page("caption", photo="cat")
    assert result(at) == CAPTIONS["cat"]
    shown = source(at)
    assert (shown["rows"], shown["columns"]) == (10, 10)
    assert shown["url"].startswith("data:image/jpeg;base64,")
    assert any("learnt from two photos" in each.value and "wrong about much else" in each.value for each in at.caption)
    assert any("Stefan van der Walt, CC0" in each.value.replace("\\", "") for each in at.caption)


def test_samples_are_offered_as_pictures() -> None:
    strip = next(data for data in components(open_page("caption", photo="coffee")) if "thumbs" in data)
    assert [thumb["title"] for thumb in strip["thumbs"]] == [sample.title for sample in photos.SAMPLES]
    assert all(thumb["url"].startswith("data:image/jpeg;base64,") and len(thumb["url"]) < 20_000 for thumb in strip["thumbs"])
    assert photos.SAMPLES[strip["chosen"]].name == "coffee"


def test_an_upload_is_captioned_and_is_not_in_the_link() -> None:
    at = upload(open_page("caption", photo="cat"), (photos.FOLDER / "coffee.jpg").read_bytes())
    assert result(at) == CAPTIONS["coffee"]
    assert at.query_params.get("photo") in (None, "cat")
    assert next(data for data in components(at) if "thumbs" in data)["chosen"] is None
    said = next(data for data in components(at) if "without" in data)["without"]
    assert "Your photo is not in it" in said and "one HTML file" in said
    assert next(data for data in components(open_page("caption")) if "without" in data)["without"] == ""


def test_a_turned_photo_is_shown_upright() -> None:
    image, out = Image.new("RGB", (120, 80), "red"), io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    image.save(out, "JPEG", exif=exif)
    shown = source(upload(open_page("caption"), out.getvalue()))
    assert (shown["width"], shown["height"]) == (80, 120)


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (b"", "empty.jpg", "The file is empty (0 bytes)"),
        (b"only some words", "words.jpg", "not a JPEG, PNG, WebP or GIF picture"),
        (b'<svg width="9" height="9"></svg>', "drawing.svg", "The file is an SVG drawing, not a photo"),
        (picture((1, 1)), "dot.jpg", "1 x 1 pixels; it must have at least 16"),
        (picture((20_000, 20_000), "PNG", "1"), "vast.png", "400,000,000 pixels"),
        ((photos.FOLDER / "cat.jpg").read_bytes()[:9_000], "half.jpg", "damaged or ends too early"),
        (b"\xff\xd8\xff" + bytes(9 * 2**20), "large.jpg", "at most 8 MB"),
    ],
    ids=["empty", "text", "svg", "dot", "vast", "half", "large"],
)
def test_bad_input_is_one_sentence_and_the_photo_before_stays(data: bytes, name: str, sentence: str) -> None:
    at = upload(open_page("caption", photo="cat"), data, name)
    assert len(errors(at)) == 1 and sentence in errors(at)[0]
    assert result(at) == CAPTIONS["cat"]
    at.run()
    assert errors(at) == []


@pytest.mark.parametrize(("kind", "mode"), [("JPEG", "CMYK"), ("PNG", "I;16"), ("PNG", "P"), ("WEBP", "RGBA"), ("GIF", "L")])
def test_unusual_pictures_are_read(kind: str, mode: str) -> None:
    at = upload(open_page("caption"), picture(kind=kind, mode=mode))
    assert errors(at) == []
    assert (source(at)["width"], source(at)["height"]) == (120, 80)


def test_variants_stand_side_by_side_under_one_clock() -> None:
    at = open_page("caption", photo="cat", tool="compare variants")
    played = [data for data in components(at) if data.get("layout", {}).get("sync") == "variants"]
    assert [each["player"].get("title") for each in played[1:]] == ["hard", "none", "soft"] or len(played) == 4
    captions = table(at, "Captions")
    assert captions is not None and CAPTIONS["cat"] in texts(captions)


def test_hard_attention_shows_its_glimpses_beside_the_expectation() -> None:
    at = open_page("caption", photo="cat", photo_model="hard", tool="glimpses")
    drawn, exact = [data["player"] for data in components(at) if data.get("layout", {}).get("sync") == "glimpses"][1:]
    assert len(drawn["marks"][0]["values"]) == len(drawn["target"]["tokens"])
    assert exact["marks"] == []
    at.button(key="new_seed").click().run()
    again, same = [data["player"] for data in components(at) if data.get("layout", {}).get("sync") == "glimpses"][1:]
    assert again["marks"] != drawn["marks"]
    assert same["id"] == exact["id"] != drawn["id"] != ""


def test_glimpses_of_soft_attention_are_explained_away() -> None:
    at = open_page("caption", photo="cat", tool="glimpses")
    assert any("hard attention" in each.value for each in at.info)
    at.button(key="take_hard").click().run()
    assert at.query_params["photo_model"] == "hard"
    assert [data for data in components(at) if data.get("layout", {}).get("sync") == "glimpses"]


def test_pointed_eyes_keep_the_words_before_and_mark_the_change() -> None:
    free = open_page("caption", photo="cat")
    painter = next(data for data in components(free) if "look" in data)
    assert painter["words"][1][1] == "word 2, “brown”"
    step, weights = painter["words"][4][0], ",".join("1.0" if cell < 10 else "0.0" for cell in range(100))
    ids = _ids(free)
    at = open_page("caption", photo="cat", edits=f"p{','.join(map(str, ids[:step]))};R{step}:{weights};h99")
    compared = table(at, "Before and after")
    assert compared is not None
    before, after = texts(compared)
    assert before == CAPTIONS["cat"] and after.startswith("a brown cat looks")
    painter = next(data for data in components(at) if "look" in data)
    assert painter["look"] == list(range(10)) and painter["block"] == [99] and painter["from"] == step
    last = [data for data in components(at) if "player" in data][-1]["player"]
    assert last["edited"][0] == step
    assert last["attention"][step][0][:10] == [pytest.approx(0.1)] * 10


def test_a_model_without_a_map_has_no_eyes_to_point() -> None:
    at = open_page("caption", photo="cat", photo_model="none")
    assert any("no attention map" in each.value for each in at.info)


def test_it_opens_playing_and_rests_where_a_link_says() -> None:
    shown = player(open_page("caption", photo="cat"))
    assert shown is not None and shown["layout"]["autoplay"] and shown["options"]["step"] is None
    linked = player(open_page("caption", photo="cat", step="2"))
    assert linked is not None and linked["options"]["step"] == 2


def test_a_model_that_guesses_says_so() -> None:
    query = Query("captioning/soft", (Asset("photo", "cat"),))
    sure = resources.answer(query)
    assert view.guessing(sure) == ""
    unsure = resources.answer(replace(query, model_id="captioning/none"))
    words = [(one.word, one.p) for one in answer.word_chances(unsure)]
    assert [word for word, _ in words] == unsure.text().split()
    assert math.prod(p for _, p in words) == pytest.approx(math.exp(sum(n.logprob for n in unsure.path() if n.token_id > 3)))
    assert math.prod(p for _, p in words) ** (1 / len(words)) < view.UNSURE
    least = min(words, key=lambda word: word[1])
    assert "The model is guessing" in view.guessing(unsure) and f"“{least[0]}” {chance(least[1])}" in view.guessing(unsure)


def test_what_was_never_looked_at_is_framed_for_every_model_with_a_map() -> None:
    at = open_page("caption", photo="cat", tool="never looked at")
    trace = resources.answer(Query("captioning/soft", (Asset("photo", "cat"),)))
    weights = unseen.received(trace)
    assert weights.sum() == pytest.approx(1)
    count = int((weights < weights.mean() / 3).sum())
    notes = [each.value for each in at.caption if "less than a third of an even share" in each.value]
    counted = f"{count} of {len(weights)} cells" if count else "No cell"
    assert len(notes) == 2 and any(note.startswith(counted) for note in notes)
    assert unseen.left_out([0.4, 0.4, 0.01, 0.19]) == [2]
    photo = Image.new("RGB", (200, 200), "grey")
    plain, framed = (np.asarray(unseen.picture(photo, row, 2, 2).convert("L")) for row in ([1.0] * 4, [0.0, 1.0, 1.0, 1.0]))
    assert framed[:100, :100].max() == 255 and framed[110:, 110:].max() < 200 and plain.shape == framed.shape
    two = np.asarray(unseen.picture(photo, [0.0, 0.0, 1.0, 1.0], 2, 2).convert("L"))
    middle = two.shape[1] // 2
    assert two[10:90, middle - 20 : middle + 20].max() < 255, "cells side by side have one frame together"


def test_without_models_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path))
    resources.shelf.clear()
    assert any("No captioning model is installed" in each.value for each in open_page("caption").info)


def _ids(at: AppTest) -> list[int]:
    from demo.query import Asset, Query

    trace = resources.answer(Query("captioning/soft", (Asset("photo", "cat"),)))
    assert trace.text() == result(at)
    return list(trace.token_ids())


def test_how_it_works_shows_the_numbers_of_a_photo() -> None:
    at = open_page("how_it_works", task="captioning", photo="cat", step="2", words="false")
    trace = resources.answer(Query("captioning/soft", (Asset("photo", "cat"),)))
    node, row = trace.path()[1], trace.attention()[1]
    latex = equations(at)
    best = int(row.argmax())
    assert f"= {number(math.exp(node.logprob))}" in latex
    assert rf"\alpha_{{t,{best + 1}}}" in latex and f"= {number(float(row[best]))}" in latex
    assert any(f"row {best // 10 + 1}, column {best % 10 + 1}" in "".join(section["says"]) for section in moment(at)["sections"])
    assert source(at)["rows"] == 10


def test_how_it_works_without_attention_says_what_the_decoder_is_given() -> None:
    at = open_page("how_it_works", task="captioning", photo="cat", photo_model="none")
    told = ["".join(section["says"]) for section in moment(at)["sections"]]
    assert any("the mean of their states" in text and "100 cells" in text for text in told)


def test_the_photos_of_a_class_throw_out_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions: list[dict[str, Any]] = [{} for _ in range(25)]
    names = []
    for place, session in enumerate(sessions):
        monkeypatch.setattr(held.st, "session_state", session)
        file = io.BytesIO()
        Image.new("RGB", (40, 40), (9 * place, 0, 0)).save(file, "PNG")
        names.append(photos.hold(file.getvalue()))
    for place, (session, name) in enumerate(zip(sessions, names, strict=True)):
        monkeypatch.setattr(held.st, "session_state", session)
        assert abs(assets.image(Asset("photo", name)).getpixel((5, 5))[0] - 9 * place) <= 3
        with pytest.raises(InputError, match="no longer held"):
            assets.image(Asset("photo", names[place - 1]))


def test_a_session_keeps_its_last_photos(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(held.st, "session_state", session)
    for place in range(9):
        file = io.BytesIO()
        Image.new("RGB", (40, 40), (9 * place, 0, 0)).save(file, "PNG")
        photos.hold(file.getvalue())
    assert len(session[state.PHOTOS]) == photos.HELD.most


def test_nobody_waits_for_ever_to_have_a_photo_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(photos, "_opening", threading.BoundedSemaphore(1))
    with photos._opening, pytest.raises(InputError, match="Too many photos are being opened"):
        photos.hold(b"whatever")
