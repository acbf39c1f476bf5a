/** How many pictures a busy tab may take to draw the row. */
const mostFrames = 60

/**
 * Where the focus goes when what had it is gone: to the same act of another row, or to the page. Acts say whose they are by `data-<act>`. Who has
 * gone on to something else meanwhile stays there.
 */
export function focusAction(action: string, id: string | undefined): void {
  const had = document.activeElement
  const check = (framesLeft: number) => {
    const has = document.activeElement
    if (has !== had && has !== document.body) return
    const next = id === undefined ? null : document.querySelector<HTMLElement>(`[data-${action}="${CSS.escape(id)}"]`)
    if (next === null && id !== undefined && framesLeft > 0)
      return void requestAnimationFrame(() => check(framesLeft - 1))
    ;(next ?? document.querySelector('main'))?.focus({ preventScroll: next === null })
  }
  requestAnimationFrame(() => check(mostFrames))
}

/** The row that comes in the place of one that goes: the next, or where it was the last, the one before. */
export function neighbourOf<Row extends { id: string }>(rows: readonly Row[], id: string): Row | undefined {
  const at = rows.findIndex((row) => row.id === id)
  return rows[at + 1] ?? rows[at - 1]
}
