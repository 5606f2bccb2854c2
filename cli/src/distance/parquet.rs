//! `carrywave distance --column`: columns of a Parquet file.

use super::column::{Column, unknown};
use crate::shared::notes::file_name;
use bytes::Bytes;
use carrywave::error::UsageFault;
use carrywave::{Error, Result};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::Type;
use std::ffi::OsStr;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Arc;

/// Reads the columns with these names. Numbers and dates are written as text.
pub fn of_parquet(file: &OsStr, bytes: Vec<u8>, names: &[&str]) -> Result<Vec<Column>> {
    // The package panics for some damaged files.
    let hook = take_hook();
    set_hook(Box::new(|_| ()));
    let columns = catch_unwind(AssertUnwindSafe(|| read(file, bytes, names)));
    set_hook(hook);
    columns.unwrap_or_else(|_| Err(wrong(file, "a damaged Parquet file")))
}

/// Returns the error for a file.
fn wrong(file: &OsStr, reason: impl Display) -> Error {
    UsageFault::Syntax.error(format!("{}: {reason}", file_name(file)))
}

fn read(file: &OsStr, bytes: Vec<u8>, names: &[&str]) -> Result<Vec<Column>> {
    let failed = |error: ParquetError| wrong(file, error);
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema();
    let fields = schema.get_fields();
    let wanted: Vec<Arc<Type>> = fields.iter().filter(|field| names.contains(&field.name())).cloned().collect();
    if let Some(name) = names.iter().find(|name| !wanted.iter().any(|field| field.name() == **name)) {
        return Err(unknown(file, name, fields.iter().map(|field| field.name())));
    }
    if let Some(nested) = wanted.iter().find(|field| !field.is_primitive()) {
        return Err(wrong(file, format!("the column '{}' has nested values", nested.name())));
    }
    let projection = Type::group_type_builder(schema.name()).with_fields(wanted).build().map_err(failed)?;
    let mut columns: Vec<Column> = names.iter().map(|_| Column::EMPTY).collect();
    for row in reader.get_row_iter(Some(projection)).map_err(failed)? {
        for (name, field) in row.map_err(failed)?.get_column_iter() {
            let own = columns.iter_mut().zip(names).filter(|(_, wanted)| **wanted == name.as_str());
            own.for_each(|(column, _)| match field {
                Field::Null => column.push(b""),
                Field::Str(text) => column.push(text.as_bytes()),
                Field::Bytes(bytes) => column.push(bytes.data()),
                other => column.push(other.to_string().as_bytes()),
            });
        }
    }
    Ok(columns)
}
