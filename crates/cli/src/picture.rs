//! Small pictures of numbers in the terminal.

/// A bar of at most `width` cells for `value` of `most`, to an eighth of a cell.
pub(crate) fn bar(value: u64, most: u64, width: usize) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    if most == 0 || value == 0 {
        return String::new();
    }
    let eighths = (value as f64 / most as f64 * (width * 8) as f64).round().max(1.0) as usize;
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8]);
    }
    bar
}

/// One column a value, from `▁` to `█`; a space where there is nothing.
pub(crate) fn columns(values: &[u64]) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = values.iter().copied().max().unwrap_or(0);
    values
        .iter()
        .map(|&value| match value {
            0 => ' ',
            _ => HEIGHTS[((value as f64 / most as f64 * 8.0).ceil() as usize).clamp(1, 8) - 1],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share_and_never_vanishes() {
        assert_eq!(bar(10, 10, 4), "████");
        assert_eq!(bar(5, 10, 4), "██");
        assert_eq!(bar(1, 1_000_000, 4), "▏");
        assert_eq!(bar(0, 10, 4), "");
        assert_eq!(bar(0, 0, 4), "");
    }

    #[test]
    fn columns_reach_from_low_to_high() {
        assert_eq!(columns(&[0, 1, 8]), " ▁█");
        assert_eq!(columns(&[]), "");
    }
}
