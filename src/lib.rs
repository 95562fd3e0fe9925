//! The compile driver.
