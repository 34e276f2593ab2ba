;; Puts the engine's module together from its text: see unpack.ts, which lays the
;; text ready and says what its form is. In WebAssembly, because this runs once,
;; cold, when JavaScript would still be interpreted: there it takes 10 ms.
(module
  (memory (export "memory") 1)

  ;; From 0 on stands where each stream goes on, from 256 on where each head is.

  ;; The digit of the character there: its code without those that are left out.
  (func $digit (param $at i32) (result i32)
    (local $code i32)
    (local.set $code (i32.load8_u (local.get $at)))
    (i32.sub
      (i32.sub
        (i32.sub
          (i32.sub (local.get $code) (i32.const 32))
          (i32.gt_u (local.get $code) (i32.const 34)))
        (i32.gt_u (local.get $code) (i32.const 60)))
      (i32.gt_u (local.get $code) (i32.const 92))))

  ;; The next byte of a stream.
  (func $next (param $stream i32) (result i32)
    (local $at i32)
    (local $byte i32)
    (local.set $stream (i32.shl (local.get $stream) (i32.const 2)))
    (local.set $at (i32.load (local.get $stream)))
    (local.set $byte (call $digit (local.get $at)))
    (if (i32.gt_u (local.get $byte) (i32.const 89))
      (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $byte
          (i32.add
            (i32.mul (i32.sub (local.get $byte) (i32.const 89)) (i32.const 90))
            (call $digit (local.get $at))))))
    (i32.store (local.get $stream) (i32.add (local.get $at) (i32.const 1)))
    (local.get $byte))

  ;; So many bytes of a stream; tells where they end.
  (func $copy (param $stream i32) (param $to i32) (param $count i32) (result i32)
    (loop $each
      (if (local.get $count)
        (then
          (i32.store8 (local.get $to) (call $next (local.get $stream)))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (local.set $count (i32.sub (local.get $count) (i32.const 1)))
          (br $each))))
    (local.get $to))

  ;; The same of the last stream, whose bytes are places among those of the one before.
  (func $copy_rest (param $ranks i32) (param $to i32) (param $count i32) (result i32)
    (loop $each
      (if (local.get $count)
        (then
          (i32.store8
            (local.get $to)
            (i32.load8_u (i32.add (local.get $ranks) (call $next (i32.const 12)))))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (local.set $count (i32.sub (local.get $count) (i32.const 1)))
          (br $each))))
    (local.get $to))

  (func (export "unpack")
    (param $to i32) (param $end i32) (param $before i32) (param $bodies i32)
    (local $ranks i32)
    (local $head i32)
    (local $place i32)
    (local $start i32)
    (local $size i32)
    (local $follows i32)
    (local $byte i32)

    ;; The heads and the ranks, in place: a byte is never longer than its characters.
    (local.set $head (i32.load (i32.const 0)))
    (local.set $place (i32.const 256))
    (loop $each
      (if (i32.lt_u (i32.load (i32.const 0)) (i32.load (i32.const 4)))
        (then
          (i32.store (local.get $place) (local.get $head))
          (local.set $place (i32.add (local.get $place) (i32.const 4)))
          (local.set $head (call $copy (i32.const 0) (local.get $head) (i32.const 2)))
          (local.set $head
            (call $copy
              (i32.const 0)
              (local.get $head)
              (i32.load8_u (i32.sub (local.get $head) (i32.const 1)))))
          (br $each))))
    (local.set $ranks (i32.load (i32.const 44)))
    (local.set $place (local.get $ranks))
    (loop $each
      (if (i32.lt_u (i32.load (i32.const 44)) (i32.load (i32.const 48)))
        (then
          (local.set $place (call $copy (i32.const 11) (local.get $place) (i32.const 1)))
          (br $each))))

    (local.set $to (call $copy_rest (local.get $ranks) (local.get $to) (local.get $before)))
    (loop $body
      (local.set $start (local.get $to))
      ;; Room for the length of the body.
      (local.set $to (i32.add (local.get $to) (i32.const 5)))
      (local.set $follows (i32.const 3))
      (loop $instruction
        (if (i32.gt_u (local.get $follows) (i32.const 3))
          (then
            ;; A number ends with its first byte below 128.
            (loop $number
              (local.set $byte (call $next (local.get $follows)))
              (i32.store8 (local.get $to) (local.get $byte))
              (local.set $to (i32.add (local.get $to) (i32.const 1)))
              (br_if $number (i32.gt_u (local.get $byte) (i32.const 127)))))
          (else
            (if (local.get $follows)
              (then
                (local.set $to
                  (call $copy
                    (local.get $follows)
                    (local.get $to)
                    (call $next (local.get $follows))))))))
        (local.set $head
          (i32.load offset=256 (i32.shl (call $next (i32.const 1)) (i32.const 2))))
        (local.set $size (i32.load8_u offset=1 (local.get $head)))
        (memory.copy
          (local.get $to)
          (i32.add (local.get $head) (i32.const 2))
          (local.get $size))
        (local.set $to (i32.add (local.get $to) (local.get $size)))
        (local.set $follows (i32.load8_u (local.get $head)))
        (br_if $instruction (i32.ne (local.get $follows) (i32.const 1))))

      (local.set $place (i32.add (local.get $start) (i32.const 5)))
      (local.set $size (i32.sub (local.get $to) (local.get $place)))
      (local.set $byte (local.get $size))
      (loop $length
        (if (i32.gt_u (local.get $byte) (i32.const 127))
          (then
            (i32.store8 (local.get $start) (i32.or (local.get $byte) (i32.const 128)))
            (local.set $byte (i32.shr_u (local.get $byte) (i32.const 7)))
            (local.set $start (i32.add (local.get $start) (i32.const 1)))
            (br $length))))
      (i32.store8 (local.get $start) (local.get $byte))
      (local.set $start (i32.add (local.get $start) (i32.const 1)))
      (memory.copy (local.get $start) (local.get $place) (local.get $size))
      (local.set $to (i32.add (local.get $start) (local.get $size)))
      (local.set $bodies (i32.sub (local.get $bodies) (i32.const 1)))
      (br_if $body (local.get $bodies)))
    (drop
      (call $copy_rest
        (local.get $ranks)
        (local.get $to)
        (i32.sub (local.get $end) (local.get $to))))))
