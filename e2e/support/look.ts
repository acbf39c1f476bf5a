import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessibilityProblems } from './chromium.ts'

/** With PICTURES each page is kept there as a picture, in every theme and width: `npm run pictures`. */
const pictures = process.env.PICTURES
/** All there is to see of something; else of each a part, which is another one for its neighbours. */
export const isThorough = pictures !== undefined
export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]
const widths = [1440, 1024, 360] as const
const height = 900

/** All widths for the pictures. Else what is looked at has one width in each theme, and what stands beside it in the list the other ones. */
export const widthsOf = (position: number): readonly number[] =>
  isThorough ? widths : [widths[position % widths.length]!]

export const widen = (page: Page, width: number): Promise<void> => page.setViewportSize({ width, height })

/** Of all pages that are opened from now on. */
export async function useTheme(page: Page, theme: Theme): Promise<void> {
  await page.context().addInitScript(`localStorage.setItem('mantine-color-scheme-value', '${theme}')`)
}

/** Drawn, and nothing on its way any more. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.locator('.mantine-Skeleton-root, [aria-busy=true]').count()).toBe(0)
}

/** In either direction of writing: how far one could scroll sideways, and what of a table, a link or a button is cut off or has no room at all. */
const misplaced = `(() => {
  const root = document.documentElement
  const cutterOf = (element) => {
    for (let each = element.parentElement; each; each = each.parentElement)
      if (/hidden|clip|auto|scroll/.test(getComputedStyle(each).overflowX)) return each
  }
  const found = new Set()
  for (const dir of ['ltr', 'rtl']) {
    root.dir = dir
    const over = root.scrollWidth - innerWidth
    if (over !== 0) found.add(dir + ': ' + over + ' pixels over the edge')
    for (const element of document.querySelectorAll('main :is(table, td, a, button)')) {
      const box = element.getBoundingClientRect()
      const cutter = cutterOf(element)
      if (box.height < 2 || element.closest('.vh') || !cutter || /auto|scroll/.test(getComputedStyle(cutter).overflowX)) continue
      const { left, right } = cutter.getBoundingClientRect()
      const words = element.tagName + ' ' + element.textContent.trim().slice(0, 40)
      if (box.right > right + 1 || box.left < left - 1) found.add(dir + ': cut off: ' + words)
      if (box.width < 4 && element.textContent.trim() !== '') found.add(dir + ': no room: ' + words)
    }
  }
  root.dir = 'ltr'
  return [...found]
})()`

/** Looked at until all has its place: what follows the width of the window by script comes a moment later. */
async function misplacedOn(page: Page): Promise<string[]> {
  for (let left = 50; ; left--) {
    const found = await page.evaluate<string[]>(misplaced)
    if (found.length === 0 || left === 0) return found
    await sleep(100)
  }
}

/** What is wrong with the page as it is shown, besides: what axe finds. */
export async function problemsOf(page: Page): Promise<string[]> {
  return [...(await misplacedOn(page)), ...(await accessibilityProblems(page))]
}

export async function keepPicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  await mkdir(pictures, { recursive: true })
  const file = name.replaceAll(/\W+/g, '-').replace(/^-/, '')
  await page.screenshot({ path: join(pictures, `${file}.png`), fullPage: true })
}

/** What is open stays so while theme and width change under it: each theme in a width of its own, or in all of them for the pictures. */
export async function lookAt(page: Page, name: string, position: number): Promise<unknown[]> {
  const found: unknown[] = []
  for (const [n, theme] of themes.entries())
    for (const width of widthsOf(position + n)) {
      await widen(page, width)
      await page.evaluate(`document.documentElement.dataset.mantineColorScheme = '${theme}'`)
      await keepPicture(page, `${name}-${theme}-${width}`)
      for (const problem of await problemsOf(page)) found.push([name, theme, width, problem])
    }
  return found
}
