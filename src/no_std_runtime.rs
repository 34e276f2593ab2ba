//! What the module needs because it does without `std`, which would bring its
//! own allocator and the printing of panics: fifteen kilobytes, for texts that
//! nobody would see.

use core::panic::PanicInfo;
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

#[global_allocator]
static MEMORY: WasmDynamicTalc = new_wasm_dynamic_allocator();

#[panic_handler]
fn trap(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
