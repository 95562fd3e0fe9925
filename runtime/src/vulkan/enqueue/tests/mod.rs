//! Tests of the extension without a driver that has it: structures against the C headers, calls against a mock driver.

mod driver;
mod layouts;
mod sequence;
mod support;
