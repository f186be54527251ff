"""Pictures have exactly the pixels that were asked for, sort by name, and are the same each time."""



from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size
from ppgen.engine.pictures.face_pictures import FacePicture, take_pictures
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.targets.piece_pictures import PieceSide, name_faces, name_pieces
from tests.targets.plain_game import face, opened, part, piece


def test_each_pixel_of_a_face_is_a_pixel_of_its_picture(fonts):
    """No resampling: a chequerboard of pixels stays black and white, whatever the ratio of its sides."""
    for size, (width, height), bleed in ((Size(44, 68), (125, 193), 0), (Size(31.7, 38.1), (101, 119), 2),
                                         (Size(120, 70), (138, 80), 0), (Size(22, 22), (41, 41), 1)):
        across, down = (size.width + 2 * bleed) / width, (size.height + 2 * bleed) / height
        black = "".join(f'<rect x="{x * across - bleed}" y="{y * down - bleed}" width="{across}" height="{down}"/>'
                        for y in range(height) for x in range(y % 2, width, 2))
        box = f"{-bleed} {-bleed} {size.width + 2 * bleed} {size.height + 2 * bleed}"
        svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><rect x="-9" y="-9" width="999" height="999" '
               f'fill="#fff"/>{black}</svg>')
        chequered = FacePicture(face=Face(svg=svg, size=size, bleed=bleed), width=width, height=height, dpi=72)
        (content,) = take_pictures([chequered], fonts.folder)
        with opened(content) as picture:
            assert picture.size == (width, height)
            greys = sum(times for level, times in enumerate(picture.convert("L").histogram()) if 40 < level < 215)
            assert greys == 0


def test_names_of_faces_cost_the_same_for_each_card(monkeypatch):
    """Whether all cards share a back or two at a time do, faces are compared and hashed a fixed number of times."""
    work = []
    monkeypatch.setattr(Face, "__hash__", lambda face: work.append(face) or id(face))
    monkeypatch.setattr(PieceSide, "__hash__", lambda side: work.append(side) or id(side))
    monkeypatch.setattr(Face, "__eq__", lambda face, other: work.append(face) or face is other)

    def count(cards: int, sharing: int) -> int:
        faces = [Face(svg="<svg/>", size=Size(30, 40), bleed=0) for _ in range(cards + cards // sharing)]
        pieces = tuple(piece(f"card-{n}", back=face()) for n in range(cards))
        drawn = DrawnPart(part=part("cards", *pieces), faces={
            (each.id, side): faces[n if side == "front" else cards + n // sharing]
            for n, each in enumerate(pieces) for side in ("front", "back")})
        work.clear()
        named = name_faces(name_pieces(drawn))
        assert len(named) == len(faces) and sum(len(each.shows) for each in named) == 2 * cards
        return len(work)

    for sharing in (20, 2):
        assert count(400, sharing) <= 4.2 * count(100, sharing)
