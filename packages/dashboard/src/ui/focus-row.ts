const mostFrames = 60

/**
 * Moves focus after the focused element is removed: to the same action (`data-<action>`) of another row, or to the
 * page. Does nothing if focus has moved elsewhere.
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

/** The row that takes the place of a removed one: the next, or the previous after the last. */
export function neighbourOf<Row extends { id: string }>(rows: readonly Row[], id: string): Row | undefined {
  const at = rows.findIndex((row) => row.id === id)
  return rows[at + 1] ?? rows[at - 1]
}
