// Finds a place for the label of each point, so that nothing lies on anything else.

const DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
]
const DISTANCES = [10, 18, 28, 40, 54, 70, 90, 110]
/** Room that a point takes, from its middle. */
const REACH = 7

/**
 * @param {readonly { x: number, y: number, width: number, height: number }[]} points With the size
 *   of their labels.
 * @param {{ left: number, top: number, right: number, bottom: number }} frame
 * @param {readonly object[]} taken Boxes that are not free.
 * @returns {{ box: object, distance: number, side: -1 | 0 | 1 }[]} For each point, in order; `side`
 *   is where the label lies: left, in the middle, or right.
 */
export function placeLabels(points, frame, taken = []) {
  const obstacles = [...taken, ...points.map(boxOfPoint)]
  return points.map((point) => {
    const place = candidates(point).find(
      ({ box }) => isInside(box, frame) && !obstacles.some((other) => overlaps(box, other)),
    )
    if (!place) throw new Error('there is no room for a label')
    obstacles.push(place.box)
    return place
  })
}

function candidates({ x, y, width, height }) {
  return DISTANCES.flatMap((distance) =>
    DIRECTIONS.map(([dx, dy]) => {
      const left = x + dx * distance + (dx - 1) * (width / 2)
      const top = y + dy * distance + (dy - 1) * (height / 2)
      return { distance, side: dx, box: { left, top, right: left + width, bottom: top + height } }
    }),
  )
}

function boxOfPoint({ x, y }) {
  return { left: x - REACH, top: y - REACH, right: x + REACH, bottom: y + REACH }
}

function isInside(box, frame) {
  return (
    box.left >= frame.left &&
    box.right <= frame.right &&
    box.top >= frame.top &&
    box.bottom <= frame.bottom
  )
}

export function overlaps(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
