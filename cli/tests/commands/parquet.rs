//! Columns of Parquet files, in a program with the feature `parquet`.

use crate::common::program::Folder;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fmt::Write;
use std::sync::Arc;

const ROWS: [(i64, Option<&str>); 5] =
    [(11, Some("wave, a")), (12, None), (-13, Some("wafe, \"a")), (14, Some("中国")), (15, Some("中文"))];

/// Returns a file whose row groups have two rows each.
fn people(compression: Compression) -> Vec<u8> {
    let schema = parse_message_type("message people { required int64 id; optional binary name (UTF8); }").unwrap();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    for rows in ROWS.chunks(2) {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let ids: Vec<i64> = rows.iter().map(|(id, _)| *id).collect();
        column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let names: Vec<ByteArray> = rows.iter().filter_map(|(_, name)| name.map(ByteArray::from)).collect();
        let levels: Vec<i16> = rows.iter().map(|(_, name)| name.is_some().into()).collect();
        column.typed::<ByteArrayType>().write_batch(&names, Some(&levels), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn columns_are_those_of_json_lines() {
    let folder = Folder::new();
    let mut lines = String::new();
    for (id, name) in ROWS {
        writeln!(lines, "{}", serde_json::json!({"id": id, "name": name})).unwrap();
    }
    folder.file("people.jsonl", lines);
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
    ] {
        folder.file("people.parquet", people(compression));
        for options in [
            &["--column", "name", "--max", "2"][..],
            &["--column", "name", "--id", "id", "--max", "50%"],
            &["--column", "name", "--clusters=lines", "--max", "2"],
            &["--column", "id"],
        ] {
            let of = |file| folder.answer(&[&["distance", "--all", file], options].concat());
            assert_eq!(of("people.parquet"), of("people.jsonl"), "{options:?}");
            assert!(of("people.parquet").lines().count() >= 2);
        }
        let two = ["--column", "name", "--column", "id"];
        let of = |file| folder.answer(&[&["distance", "--pairs", file], &two[..]].concat());
        assert_eq!(of("people.parquet"), of("people.jsonl"));
    }
}

#[test]
fn what_a_file_lacks_is_told() {
    let folder = Folder::new();
    let schema =
        "message all { optional group tags (LIST) { repeated group list { optional binary element (UTF8); } } }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let nested = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap().into_inner().unwrap();
    folder.file("nested.parquet", nested);
    folder.file("people.parquet", people(Compression::SNAPPY));
    for (file, column, told) in [
        ("people.parquet", "nam", "people.parquet has no column 'nam'; its columns are id, name"),
        ("nested.parquet", "tags", "nested.parquet: "),
    ] {
        let message = folder.refusal(2, &["distance", "--all", file, "--column", column]);
        assert!(message.contains(told), "{message}");
    }
}

/// Damaged files are read or refused: no panic, no crash.
#[test]
fn damaged_files_are_refused() {
    let folder = Folder::new();
    let whole = people(Compression::SNAPPY);
    let mut random = fastrand::Rng::with_seed(1);
    let mut refused = 0;
    for _ in 0..200 {
        let mut bytes = whole.clone();
        if random.bool() {
            bytes.truncate(random.usize(4..whole.len()));
        }
        for _ in 0..random.usize(..4) {
            let at = random.usize(4..bytes.len());
            bytes[at] = random.u8(..);
        }
        folder.file("people.parquet", bytes);
        let ran = folder.run(&["distance", "--all", "people.parquet", "--column", "name"]);
        assert!(matches!(ran.code, 0 | 2) && !ran.stderr.contains("panicked"), "{}: {}", ran.code, ran.stderr);
        refused += usize::from(ran.code == 2);
    }
    assert!(refused > 100, "{refused}");
}
