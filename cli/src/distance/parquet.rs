//! `carrywave distance --column`: columns of a Parquet file.

use super::columns::{Column, unknown};
use crate::shared::notes::file_name;
use bytes::Bytes;
use carrywave::Result;
use carrywave::error::UsageFault;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::Type;
use std::ffi::OsStr;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Arc;

/// Reads the columns with these names. Numbers and dates are written as text.
pub fn of_parquet(file: &OsStr, bytes: Vec<u8>, names: &[&str]) -> Result<Vec<Column>> {
    let wrong = |reason: String| UsageFault::Syntax.error(format!("{}: {reason}", file_name(file)));
    // The package panics for some damaged files.
    let hook = take_hook();
    set_hook(Box::new(|_| ()));
    let read = catch_unwind(AssertUnwindSafe(|| read(bytes, names)));
    set_hook(hook);
    match read {
        Ok(Ok(Ok(columns))) => Ok(columns),
        Ok(Ok(Err(Unknown { name, columns }))) => Err(unknown(file, &name, columns.into_iter())),
        Ok(Err(error)) => Err(wrong(error.to_string())),
        Err(_) => Err(wrong("a damaged Parquet file".to_owned())),
    }
}

/// A column that a file does not have, and those that it has.
struct Unknown {
    name: String,
    columns: Vec<String>,
}

fn read(bytes: Vec<u8>, names: &[&str]) -> ParquetResult<std::result::Result<Vec<Column>, Unknown>> {
    let reader = SerializedFileReader::new(Bytes::from(bytes))?;
    let schema = reader.metadata().file_metadata().schema();
    let is_wanted = |field: &&Arc<Type>| names.contains(&field.name());
    let wanted: Vec<Arc<Type>> = schema.get_fields().iter().filter(is_wanted).cloned().collect();
    if let Some(name) = names.iter().find(|name| !wanted.iter().any(|field| field.name() == **name)) {
        let columns = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
        return Ok(Err(Unknown { name: (*name).to_owned(), columns }));
    }
    if let Some(nested) = wanted.iter().find(|field| !field.is_primitive()) {
        return Err(ParquetError::General(format!("the column '{}' has nested values", nested.name())));
    }
    let projection = Type::group_type_builder(schema.name()).with_fields(wanted).build()?;
    let mut columns: Vec<Column> = names.iter().map(|_| Column::EMPTY).collect();
    for row in reader.get_row_iter(Some(projection))? {
        for (name, field) in row?.get_column_iter() {
            let own = columns.iter_mut().zip(names).filter(|(_, wanted)| **wanted == name.as_str());
            own.for_each(|(column, _)| match field {
                Field::Null => column.push(b""),
                Field::Str(text) => column.push(text.as_bytes()),
                Field::Bytes(bytes) => column.push(bytes.data()),
                other => column.push(other.to_string().as_bytes()),
            });
        }
    }
    Ok(Ok(columns))
}
