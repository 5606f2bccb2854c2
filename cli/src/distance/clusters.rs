//! `carrywave distance --clusters`: groups of strings. Each string is near another one of its
//! group.

use super::arguments::ClusterFormat;
use crate::shared::json::write_json;
use crate::shared::table::Field;
use carrywave::io::sequence::Document;
use carrywave::pairs::{Cluster, Member};
use std::io::{self, Write};

/// A line of `--clusters=json`.
#[derive(serde::Serialize)]
struct JsonCluster<'n> {
    cluster: usize,
    size: usize,
    representative: &'n str,
    members: Vec<JsonMember<'n>>,
}

#[derive(serde::Serialize)]
struct JsonMember<'n> {
    name: &'n str,
    /// Number of the string, 1-based.
    number: usize,
    distance: u32,
}

/// Writes the groups of a document's strings, with their names.
pub fn write_clusters(
    out: &mut (dyn Write + Send),
    clusters: &[Cluster],
    document: &Document,
    names: &[String],
    format: ClusterFormat,
) -> io::Result<()> {
    for (cluster, members) in (1..).zip(clusters) {
        let representative = members.first().map_or("", |first| &names[first.number]);
        let size = members.len();
        if format == ClusterFormat::Json {
            let member = |&Member { number, distance, .. }: &Member| JsonMember {
                name: &names[number],
                number: number + 1,
                distance,
            };
            let members = members.iter().map(member).collect();
            write_json(out, &JsonCluster { cluster, size, representative, members })?;
            continue;
        }
        for &Member { number, distance, .. } in members {
            if format == ClusterFormat::Lines {
                write!(out, "{cluster}\t{size}\t{distance}\t")?;
                out.write_all(&document.symbols[document.records[number].clone()])?;
                out.write_all(b"\n")?;
                continue;
            }
            let representative = Field(representative);
            let name = Field(&names[number]);
            writeln!(out, "{cluster}\t{size}\t{representative}\t{name}\t{distance}")?;
        }
    }
    Ok(())
}
