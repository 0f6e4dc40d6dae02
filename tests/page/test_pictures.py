"""The pictures in README and docs are of the page as it is now."""

import base64
from pathlib import Path
from typing import Any

import pytest

from tests.page import pictures

pytestmark = pytest.mark.full

MOST_DIFFERENT = 0.01
"""The part of the pixels that may differ: fonts are drawn a little differently from one machine to the next."""

DIFFERENCE = """async ([one, other]) => {
  const read = async data => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const drawing = canvas.getContext("2d");
    drawing.drawImage(image, 0, 0);
    return drawing.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await read(one), await read(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let at = 0; at < a.data.length; at += 4)
    different += [0, 1, 2].some(channel => Math.abs(a.data[at + channel] - b.data[at + channel]) > 64);
  return different / (a.width * a.height);
}"""


def test_every_picture_shows_the_page_as_it_is(chromium: Any, tmp_path: Path) -> None:
    """Taken again in a real browser, each looks the same; and none is kept that no page shows."""
    pictures.take(chromium, tmp_path)
    names = {f"{view}-{width}-{scheme}.png" for view, width, scheme in pictures.shown()}
    assert {path.name for path in pictures.PICTURES.iterdir()} == names

    page = chromium.new_context().new_page()
    for name in sorted(names):
        both = [base64.b64encode((folder / name).read_bytes()).decode() for folder in (tmp_path, pictures.PICTURES)]
        different = page.evaluate(DIFFERENCE, both)
        assert different <= MOST_DIFFERENT, f"{name} is out of date: python -m tests.page.pictures"
