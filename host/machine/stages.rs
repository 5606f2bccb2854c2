//! The number of pipeline stages of a warp access.

use super::model::{Machine, Model};

/// Counts stages. Keeps its working memory.
#[derive(Debug)]
pub struct Stages {
    width: u64,
    /// DMM: the number of addresses requested from each bank.
    banks: Vec<u64>,
}

impl Stages {
    pub fn new(machine: &Machine) -> Self {
        let banks = if machine.model == Model::Umm { 0 } else { machine.width as usize };
        Self { width: machine.width, banks: vec![0; banks] }
    }

    /// Returns the number of stages of a warp access to these words on a DMM or a UMM, at least
    /// one. Sorts the words and removes duplicates: requests for one address are merged.
    pub fn count(&mut self, rule: Model, words: &mut Vec<u64>) -> u64 {
        words.sort_unstable();
        words.dedup();
        match rule {
            Model::Umm => words.chunk_by(|a, b| a / self.width == b / self.width).count() as u64,
            Model::Dmm | Model::Hmm => {
                let mut most = 0;
                for word in &*words {
                    let bank = &mut self.banks[(word % self.width) as usize];
                    *bank += 1;
                    most = most.max(*bank);
                }
                for word in &*words {
                    self.banks[(word % self.width) as usize] = 0;
                }
                most
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(width: u64, words: &[u64]) -> (u64, u64) {
        let count = |model| Stages::new(&Machine::new(model, width, 1)).count(model, &mut words.to_vec());
        (count(Model::Dmm), count(Model::Umm))
    }

    #[test]
    fn by_banks_and_by_groups() {
        // The paper's figure 2: w = 4.
        assert_eq!(stages(4, &[0, 1, 2, 3]), (1, 1));
        assert_eq!(stages(4, &[3, 4, 5, 6]), (1, 2), "neighbours across the border of two groups");
        assert_eq!(stages(4, &[7, 5, 15, 0]), (2, 3), "two in bank 3");
        assert_eq!(stages(4, &[10, 11, 12, 9]), (1, 2));
        assert_eq!(stages(4, &[0, 4, 8, 12]), (4, 4));
        assert_eq!(stages(4, &[0, 5, 10, 15]), (1, 4), "a diagonal");
        assert_eq!(stages(4, &[6, 6, 6, 6]), (1, 1), "one address is asked for once");
        assert_eq!(stages(1, &[0, 1, 1, 2]), (3, 3));
    }

    #[test]
    fn nothing_is_left_for_the_next() {
        let mut stages = Stages::new(&Machine::new(Model::Dmm, 4, 1));
        assert_eq!([stages.count(Model::Dmm, &mut vec![0, 4]), stages.count(Model::Dmm, &mut vec![8])], [2, 1]);
    }
}
