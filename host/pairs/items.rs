//! Pairs of sequences of items of any type, such as words: the items are numbered once for all
//! sequences.

use super::cluster::Cluster;
use super::comparison::Pairs;
use super::near::Near;
use super::strings::Symbols;
use crate::error::Result;
use crate::text::numbered::number_lists;
use std::hash::Hash;

/// Items of two lists of sequences, as numbers.
struct Numbers {
    all: Vec<Vec<u32>>,
    /// Number of sequences of the first list.
    first: usize,
}

impl Numbers {
    fn new<T: Eq + Hash>(a: &[impl AsRef<[T]>], b: &[impl AsRef<[T]>]) -> Result<Self> {
        let all = a.iter().map(AsRef::as_ref).chain(b.iter().map(AsRef::as_ref));
        Ok(Self { all: number_lists(all)?, first: a.len() })
    }

    fn lists(&self) -> (Vec<Symbols<'_>>, Vec<Symbols<'_>>) {
        let (a, b) = self.all.split_at(self.first);
        (symbols(a), symbols(b))
    }
}

fn symbols(list: &[Vec<u32>]) -> Vec<Symbols<'_>> {
    list.iter().map(|numbers| Symbols::Numbers(numbers)).collect()
}

/// Methods for sequences of items that can be hashed and compared. Equal items count as one symbol.
impl Pairs<'_> {
    /// Like [`listed`](Self::listed), for sequences of items.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let pairs = [(["to", "be"], ["not", "be"])];
    /// assert_eq!(Pairs::new().listed_of(&pairs)?, [Some(1)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`listed`](Self::listed); and [`TooLarge`](crate::error::UsageFault::TooLarge) for more
    /// than 2^32 - 1 different items.
    pub fn listed_of<T: Eq + Hash>(&self, pairs: &[(impl AsRef<[T]>, impl AsRef<[T]>)]) -> Result<Vec<Option<u32>>> {
        let all = pairs.iter().flat_map(|(a, b)| [a.as_ref(), b.as_ref()]);
        let numbers = number_lists(all)?;
        let (pairs, _) = numbers.as_chunks::<2>();
        let pairs: Vec<_> = pairs.iter().map(|[a, b]| (Symbols::Numbers(a), Symbols::Numbers(b))).collect();
        self.listed(&pairs)
    }

    /// Like [`all`](Self::all), for sequences of items as in the [example](Self::listed_of).
    ///
    /// # Errors
    /// Errors of [`listed_of`](Self::listed_of), and errors of `each`, which end the job.
    pub fn all_of<T: Eq + Hash>(
        &self,
        a: &[impl AsRef<[T]>],
        b: &[impl AsRef<[T]>],
        each: impl FnMut(usize, &[Option<u32>]) -> Result<()> + Send,
    ) -> Result<()> {
        let numbers = Numbers::new(a, b)?;
        let (a, b) = numbers.lists();
        self.all(&a, &b, each)
    }

    /// Like [`matrix`](Self::matrix), for sequences of items as in the [example](Self::listed_of).
    ///
    /// # Errors
    /// As [`listed_of`](Self::listed_of).
    pub fn matrix_of<T: Eq + Hash>(
        &self,
        a: &[impl AsRef<[T]>],
        b: &[impl AsRef<[T]>],
    ) -> Result<Vec<Vec<Option<u32>>>> {
        let numbers = Numbers::new(a, b)?;
        let (a, b) = numbers.lists();
        self.matrix(&a, &b)
    }

    /// Like [`nearest`](Self::nearest), for sequences of items as in the
    /// [example](Self::listed_of).
    ///
    /// # Errors
    /// As [`listed_of`](Self::listed_of).
    pub fn nearest_of<T: Eq + Hash>(
        &self,
        a: &[impl AsRef<[T]>],
        b: &[impl AsRef<[T]>],
        top: usize,
    ) -> Result<Vec<Vec<Near>>> {
        let numbers = Numbers::new(a, b)?;
        let (a, b) = numbers.lists();
        self.nearest(&a, &b, top)
    }

    /// Like [`within`](Self::within), for sequences of items.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let titles = ["the art of war", "the art of peace", "war"]
    ///     .map(|title| title.split(' ').collect::<Vec<_>>());
    /// let near = Pairs::new().maximum(1).within_of(&titles)?;
    /// assert_eq!((near.len(), near[0].a, near[0].b), (1, 0, 1));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`within`](Self::within) and [`listed_of`](Self::listed_of).
    pub fn within_of<T: Eq + Hash>(&self, list: &[impl AsRef<[T]>]) -> Result<Vec<Near>> {
        let none: &[&[T]] = &[];
        let numbers = Numbers::new(list, none)?;
        self.within(&numbers.lists().0)
    }

    /// Like [`join`](Self::join), for sequences of items as in the [example](Self::within_of).
    ///
    /// # Errors
    /// As [`within_of`](Self::within_of).
    pub fn join_of<T: Eq + Hash>(&self, a: &[impl AsRef<[T]>], b: &[impl AsRef<[T]>]) -> Result<Vec<Near>> {
        let numbers = Numbers::new(a, b)?;
        let (a, b) = numbers.lists();
        self.join(&a, &b)
    }

    /// Like [`clusters`](Self::clusters), for sequences of items as in the
    /// [example](Self::within_of).
    ///
    /// # Errors
    /// As [`within_of`](Self::within_of).
    pub fn clusters_of<T: Eq + Hash>(&self, list: &[impl AsRef<[T]>]) -> Result<Vec<Cluster>> {
        let none: &[&[T]] = &[];
        let numbers = Numbers::new(list, none)?;
        self.clusters(&numbers.lists().0)
    }

    /// Like [`star_clusters`](Self::star_clusters), for sequences of items as in the
    /// [example](Self::within_of).
    ///
    /// # Errors
    /// As [`within_of`](Self::within_of).
    pub fn star_clusters_of<T: Eq + Hash>(&self, list: &[impl AsRef<[T]>]) -> Result<Vec<Cluster>> {
        let none: &[&[T]] = &[];
        let numbers = Numbers::new(list, none)?;
        self.star_clusters(&numbers.lists().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_symbols() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut list = |count: usize| -> Vec<Vec<u8>> {
            (0..count).map(|_| (0..random.usize(..12)).map(|_| random.u8(..4)).collect()).collect()
        };
        let (a, b) = (list(40), list(30));
        let words = |list: &[Vec<u8>]| -> Vec<Vec<String>> {
            list.iter().map(|string| string.iter().map(|symbol| format!("word {symbol}")).collect()).collect()
        };
        let (words_a, words_b) = (words(&a), words(&b));
        let job = Pairs::new().maximum(3);
        let pairs: Vec<_> = a.iter().zip(&b).collect();
        let pairs_of_words: Vec<_> = words_a.iter().zip(&words_b).collect();
        assert_eq!(job.listed_of(&pairs_of_words).unwrap(), job.listed(&pairs).unwrap());
        assert_eq!(job.matrix_of(&words_a, &words_b).unwrap(), job.matrix(&a, &b).unwrap());
        assert_eq!(job.nearest_of(&words_a, &words_b, 2).unwrap(), job.nearest(&a, &b, 2).unwrap());
        assert_eq!(job.within_of(&words_a).unwrap(), job.within(&a).unwrap());
        assert_eq!(job.join_of(&words_a, &words_b).unwrap(), job.join(&a, &b).unwrap());
        assert_eq!(job.clusters_of(&words_a).unwrap(), job.clusters(&a).unwrap());
    }
}
