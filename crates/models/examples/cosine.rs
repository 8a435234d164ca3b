//! Prints the cosine of the first line with each further line of the standard input.
use myosotis_core::Embedder;
fn main() {
    let model = myosotis_models::BuiltIn::lazy();
    let text = std::io::read_to_string(std::io::stdin()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let v = model.embed(&lines).unwrap_or_default();
    for (l, x) in lines.iter().zip(&v) {
        let c: f32 = x.iter().zip(&v[0]).map(|(a, b)| a * b).sum();
        println!("{c:.3} {l}");
    }
}
