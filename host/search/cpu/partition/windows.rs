//! The windows of a pattern: the parts of a text that contain all its occurrences.

use super::index::{Index, Piece};
use super::partner::{BESIDE, Partner};
use super::places::Places;

/// The partner of a piece, if it has one: the first and the second piece, the third and the fourth, and so on, where nothing
/// is between them.
fn partner(index: &Index, positions: &[u16], pieces: &[Piece], piece: usize) -> Option<Partner> {
    let end = |piece: &Piece| usize::from(piece.offset) + usize::from(piece.length);
    let (first, second) = (&pieces[piece & !1], pieces.get(piece | 1)?);
    if end(first) != usize::from(second.offset) {
        return None;
    }
    let is_after = piece.is_multiple_of(2);
    let low = |class: &u16| u64::from(index.patterns.codes[usize::from(*class)] as u8);
    let positions = if is_after {
        &positions[usize::from(second.offset)..end(second)]
    } else {
        &positions[usize::from(first.offset)..end(first)]
    };
    let place = |(i, class): (usize, &u16)| low(class) << (8 * i);
    let codes = if is_after {
        positions.iter().take(BESIDE).enumerate().map(place).sum()
    } else {
        positions.iter().rev().take(BESIDE).enumerate().map(place).sum()
    };
    let mask = !0 >> (64 - 8 * positions.len().min(BESIDE));
    Some(Partner { codes, mask, is_after })
}

/// The windows of a pattern, in order and apart.
pub fn windows(index: &Index, places: &Places<'_>, number: usize, pieces: &[Piece], windows: &mut Vec<(u32, u32)>) {
    let (text, positions, k, q) = (places.text, index.patterns.positions(number), index.k as usize, index.grams.q);
    windows.clear();
    for (i, &Piece { gram, offset, length }) in pieces.iter().enumerate() {
        let (offset, length) = (usize::from(offset), usize::from(length));
        let rest = &positions[offset + q..offset + length];
        let partner = partner(index, positions, pieces, i);
        let is_near = |place: usize| {
            partner.is_none_or(|partner| {
                partner.is_near(if partner.is_after { places.after(place + length) } else { places.before(place) })
            })
        };
        for place in places.of(gram).iter().map(|place| *place as usize).filter(|place| is_near(*place)) {
            // Behind its q-gram too the piece is without errors.
            let mut equal = rest.iter().zip(&text[place + q..]).map(|(class, symbol)| {
                index.patterns.codes[usize::from(*class)] == index.grams.codes[usize::from(*symbol)]
            });
            if equal.all(|equal| equal) {
                let end = (place + positions.len() - offset + k).min(text.len());
                windows.push((place.saturating_sub(offset + k) as u32, end as u32));
            }
        }
    }
    // A few sorted stretches: the stable sort merges them.
    windows.sort();
    windows.dedup_by(|next, window| {
        let touch = next.0 <= window.1;
        if touch {
            window.1 = window.1.max(next.1);
        }
        touch
    });
}
