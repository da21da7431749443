//! What a table of columns is, and the macro that declares one. Knows no table and no format.

use std::fmt::Debug;

use crate::kinds::ColumnKind;

/// A column of a table. The tables are declared in this crate.
pub trait TableColumn: Copy + Debug + PartialEq + 'static {
    /// The values of a row, `None` where a value is not known.
    type Row<'a>: Copy;
    /// An Arrow builder for each column.
    #[doc(hidden)]
    type Builders: RowBuilders<Self>;

    /// All columns, in the table's order.
    const ALL: &'static [Self];

    /// The name, as in every output.
    fn name(self) -> &'static str;
    /// The kind of the values.
    fn kind(self) -> ColumnKind;
    /// The unit of the values; empty if they have none.
    fn unit(self) -> &'static str;
    /// Where the values come from.
    fn source(self) -> &'static str;
    /// What the column holds, in one line.
    fn description(self) -> &'static str;

    /// The column with this name.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|column| column.name() == name)
    }

    /// Appends a value as JSON.
    #[doc(hidden)]
    fn write_json_value(self, row: &Self::Row<'_>, out: &mut Vec<u8>);
    /// Appends a value as text; nothing if it is not known.
    #[doc(hidden)]
    fn write_text_value(self, row: &Self::Row<'_>, out: &mut Vec<u8>);
    /// Whether a row has a value.
    #[doc(hidden)]
    fn has_value(self, row: &Self::Row<'_>) -> bool;
    #[doc(hidden)]
    fn data_type(self) -> arrow_schema::DataType;
}

/// Arrow builders of the columns that are wanted.
#[doc(hidden)]
pub trait RowBuilders<C: TableColumn> {
    fn new(columns: &[C]) -> Self;
    /// Appends a row. Returns the bytes of its texts.
    fn append(&mut self, row: &C::Row<'_>) -> usize;
    /// The values of a column; the builder is empty afterwards.
    fn finish(&mut self, column: C) -> arrow_array::ArrayRef;
}

/// Generates the columns, the row and the walks over them from a table.
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

        /// The values of a row, `None` where a value is not known.
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

        /// An Arrow builder for each column that is wanted.
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
                    // Batches are alike: the next one needs as much room.
                    let next = $kind::empty_like(builder);
                    std::sync::Arc::new(std::mem::replace(builder, next).finish())
                })* }
            }
        }
    };
}

pub(crate) use columns;
