//! The trait of a table's columns, and the macro that declares a table.

use std::fmt::Debug;

use crate::kinds::ColumnKind;

/// A column of a table. This crate declares all tables.
pub trait TableColumn: Copy + Debug + PartialEq + 'static {
    /// The values of a row. An unknown value is `None`.
    type Row<'a>: Copy;
    /// An Arrow builder for each column.
    #[doc(hidden)]
    type Builders: RowBuilders<Self>;

    /// All columns, in the table's order.
    const ALL: &'static [Self];

    /// Returns the column's name, which is the same in every output format.
    fn name(self) -> &'static str;
    /// Returns the kind of the values.
    fn kind(self) -> ColumnKind;
    /// Returns the unit of the values, or an empty string.
    fn unit(self) -> &'static str;
    /// Returns where the values come from, such as `input` or `parser`.
    fn source(self) -> &'static str;
    /// Returns a one-line description of the column.
    fn description(self) -> &'static str;

    /// Returns the column with this name.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|column| column.name() == name)
    }

    /// Appends a value as JSON.
    #[doc(hidden)]
    fn write_json_value(self, row: &Self::Row<'_>, out: &mut Vec<u8>);
    /// Appends a value as text. Appends nothing for an unknown value.
    #[doc(hidden)]
    fn write_text_value(self, row: &Self::Row<'_>, out: &mut Vec<u8>);
    /// Returns whether the row's value is known.
    #[doc(hidden)]
    fn has_value(self, row: &Self::Row<'_>) -> bool;
    #[doc(hidden)]
    fn data_type(self) -> arrow_schema::DataType;
}

/// Arrow builders of the requested columns.
#[doc(hidden)]
pub trait RowBuilders<C: TableColumn> {
    fn new(columns: &[C]) -> Self;
    /// Appends a row. Returns the size of its strings, in bytes.
    fn append(&mut self, row: &C::Row<'_>) -> usize;
    /// Returns the values of a column and empties its builder.
    fn finish(&mut self, column: C) -> arrow_array::ArrayRef;
}

/// Generates the column enum, the row struct and their writers from a table.
macro_rules! columns {
    (
        $(#[doc = $doc:literal])*
        $name:ident, $row:ident, $builders:ident;
        $($field:ident $column:ident: $kind:ident, $unit:literal, $source:literal, $description:literal;)*
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $description] $column,)*
        }

        /// The values of a row. An unknown value is `None`.
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $row<'a> {
            $(#[doc = $description] pub $field: Option<<$kind as $crate::kinds::Kind>::Value<'a>>,)*
        }

        impl $crate::TableColumn for $name {
            type Row<'a> = $row<'a>;
            type Builders = $builders;

            const ALL: &'static [Self] = &[$(Self::$column),*];

            fn name(self) -> &'static str {
                match self { $(Self::$column => stringify!($field),)* }
            }

            fn kind(self) -> $crate::kinds::ColumnKind {
                match self { $(Self::$column => <$kind as $crate::kinds::Kind>::KIND,)* }
            }

            fn unit(self) -> &'static str {
                match self { $(Self::$column => $unit,)* }
            }

            fn source(self) -> &'static str {
                match self { $(Self::$column => $source,)* }
            }

            fn description(self) -> &'static str {
                match self { $(Self::$column => $description,)* }
            }

            fn write_json_value(self, row: &$row<'_>, out: &mut Vec<u8>) {
                use $crate::kinds::Kind;
                match self { $(Self::$column => match row.$field {
                    Some(value) => $kind::write_json(value, out),
                    None => out.extend_from_slice(b"null"),
                },)* }
            }

            fn write_text_value(self, row: &$row<'_>, out: &mut Vec<u8>) {
                use $crate::kinds::Kind;
                match self { $(Self::$column => if let Some(value) = row.$field {
                    $kind::write_text(value, out);
                },)* }
            }

            fn has_value(self, row: &$row<'_>) -> bool {
                match self { $(Self::$column => row.$field.is_some(),)* }
            }

            fn data_type(self) -> arrow_schema::DataType {
                use $crate::kinds::ArrowKind;
                match self { $(Self::$column => $kind::data_type(),)* }
            }
        }

        /// An Arrow builder for each requested column.
        #[derive(Default)]
        pub struct $builders {
            $($field: Option<<$kind as $crate::kinds::ArrowKind>::Builder>,)*
        }

        impl $crate::table::RowBuilders<$name> for $builders {
            fn new(columns: &[$name]) -> Self {
                use $crate::kinds::ArrowKind;
                let mut builders = Self::default();
                for column in columns {
                    match column { $($name::$column => builders.$field = Some($kind::builder()),)* }
                }
                builders
            }

            #[inline]
            fn append(&mut self, row: &$row<'_>) -> usize {
                use $crate::kinds::ArrowKind;
                let mut size = 0;
                $(if let Some(builder) = &mut self.$field {
                    $kind::append(builder, row.$field);
                    size += row.$field.map_or(0, $kind::size);
                })*
                size
            }

            fn finish(&mut self, column: $name) -> arrow_array::ArrayRef {
                match column { $($name::$column => {
                    use $crate::kinds::ArrowKind;
                    let builder = self.$field.as_mut().expect("the column is wanted");
                    // The next builder gets the capacity of this one, because batches have similar sizes.
                    let next = $kind::empty_like(builder);
                    std::sync::Arc::new(std::mem::replace(builder, next).finish())
                })* }
            }
        }
    };
}

pub(crate) use columns;
