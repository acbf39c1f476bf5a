/** What can be done on the page that is open: the buttons and links of its heads. */
export interface PageAction {
  label: string
  run(): void
}

/**
 * Read from the page as it stands, so that no page has to say its acts twice: one that is off, or not shown to this account, is not there
 * either.
 */
export function listPageActions(): PageAction[] {
  const found = document.querySelectorAll<HTMLElement>('#main [data-acts] :is(button, a)')
  const actions = new Map<string, PageAction>()
  for (const element of found) {
    const label = (element.getAttribute('aria-label') ?? element.textContent).trim()
    const isOff = element.matches(':disabled, [data-disabled], [data-loading], [aria-disabled=true], [aria-haspopup]')
    if (label !== '' && !isOff && !actions.has(label)) actions.set(label, { label, run: () => press(element) })
  }
  return [...actions.values()]
}

/** As by hand: a dialog that it opens gives the focus back to it. */
function press(element: HTMLElement): void {
  element.focus()
  element.click()
}
