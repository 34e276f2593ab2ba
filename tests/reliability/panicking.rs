//! Kinds of panic that input could bring about, each behind an export of its own,
//! and exports that cannot panic. `panics.test.ts` compiles this with the compiler
//! that the engine was made with, and must tell the two apart.
//!
//! Nothing here takes memory or gives it back: that alone can panic, and every
//! export would be found for that reason.
#![no_main]

use std::cell::RefCell;
use std::hint::black_box;
use std::mem::ManuallyDrop;

/// A number that nobody knows, a list and a text of unknown length.
macro_rules! exports {
    ($($name:ident($number:ident, $list:ident, $text:ident) $body:expr;)*) => {
        $(
            #[unsafe(no_mangle)]
            #[allow(unused_variables, unused_mut)]
            pub extern "C" fn $name($number: usize) -> usize {
                let mut $list = black_box(ManuallyDrop::new(Vec::<usize>::new()));
                let mut $text = black_box(ManuallyDrop::new(String::new()));
                $body
            }
        )*
    };
}

exports! {
    panics_index(n, list, text) list[n];
    panics_slice(n, list, text) list[n..].len();
    panics_text(n, list, text) text[n..].len();
    panics_text_cut(n, list, text) { text.truncate(n); text.len() };
    panics_text_split(n, list, text) text.split_at(n).1.len();
    panics_unwrap(n, list, text) *list.get(n).unwrap();
    panics_expect(n, list, text) *list.get(n).expect("one");
    panics_result(n, list, text) usize::try_from(n as i32).unwrap();
    panics_divide(n, list, text) list.len() / n;
    panics_remainder(n, list, text) list.len() % n;
    panics_overflow(n, list, text) n.strict_add(list.len());
    panics_shift(n, list, text) list.len().strict_shl(n as u32);
    panics_remove(n, list, text) list.remove(n);
    panics_swap_remove(n, list, text) list.swap_remove(n);
    panics_swap(n, list, text) { list.swap(n, 1); list.len() };
    panics_drain(n, list, text) list.drain(n..).count();
    panics_split(n, list, text) list.split_at(n).1.len();
    panics_copy(n, list, text) { let mut to = [0; 4]; to.copy_from_slice(&list); to[n % 4] };
    panics_copy_within(n, list, text) { list.copy_within(n.., 0); list.len() };
    panics_rotate(n, list, text) { list.rotate_left(n); list.len() };
    panics_chunks(n, list, text) list.chunks(n).count();
    panics_windows(n, list, text) list.windows(n).count();
    panics_steps(n, list, text) list.iter().step_by(n).count();
    panics_clamp(n, list, text) n.clamp(list.len(), text.len());
    panics_radix(n, list, text) char::from_digit(1, n as u32).map_or(0, |c| c as usize);
    panics_borrow(n, list, text) {
        let cell = black_box(RefCell::new(n));
        let held = (n > 3).then(|| cell.borrow());
        *cell.borrow_mut() = 7;
        held.map_or(0, |kept| *kept)
    };
    panics_assert(n, list, text) { assert!(n < 9); n };
    panics_assert_equal(n, list, text) { assert_eq!(n, 9); n };
    panics_unreachable(n, list, text) if n < 9 { n } else { unreachable!() };
    panics_later(n, list, text) if n < 9 { n } else { todo!() };
    panics_itself(n, list, text) if n < 9 { n } else { panic!("nine") };
    panics_through_the_table(n, list, text) black_box(panicking as fn(f64) -> f64)(n as f64) as usize;
    panics_with_figures(n, list, text) if n < 9 { n } else { panic!("{n}") };

    works_get(n, list, text) list.get(n).copied().unwrap_or_default();
    works_slice(n, list, text) list.get(n..).unwrap_or_default().len();
    works_text(n, list, text) text.get(n..).unwrap_or_default().len();
    works_divide(n, list, text) list.len().checked_div(n).unwrap_or_default();
    works_overflow(n, list, text) n.saturating_add(list.len());
    works_sum(n, list, text) list.iter().chain([&n]).fold(0, |sum, one| sum ^ one);
    works_through_the_table(n, list, text) black_box(working as fn(f32) -> f32)(n as f32) as usize;
    works_itself(n, list, text) if n < 9 { list.len() } else { n };
}

fn panicking(number: f64) -> f64 {
    assert!(number < 9.0);
    number
}

fn working(number: f32) -> f32 {
    number + 1.0
}
