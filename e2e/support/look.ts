import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessibilityProblems } from './chromium.ts'

/** Screenshots of each page in every theme and width are written here: `npm run pictures`. */
const pictures = process.env.PICTURES
/** Without pictures, each page checks one part; its neighbors check the others. */
export const isThorough = pictures !== undefined
const themes = ['light', 'dark'] as const
const widths = [1440, 1024, 360] as const
const height = 900

/** All for pictures, otherwise one that differs between neighbors; tokens.test.ts checks the colors of both themes. */
const viewsOf = (position: number) =>
  isThorough
    ? themes.flatMap((theme) => widths.map((width) => ({ theme, width })))
    : [{ theme: themes[position % themes.length]!, width: widths[position % widths.length]! }]

export const widen = (page: Page, width: number): Promise<void> => page.setViewportSize({ width, height })

/** Waits until rendering and requests are done. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.locator('.mantine-Skeleton-root, [aria-busy=true]').count()).toBe(0)
}

/** Horizontal overflow and clipped tables, links or buttons, in both writing directions. */
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

/** What is visible, except for what is meant to be copied or comes from programs. */
export const visibleTexts = `(() => {
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode
    if (!parentElement.closest('code, pre, script, style, textarea, [role=log], .cm-editor') && parentElement.checkVisibility())
      texts.push(data)
  }
  return texts
})()`

/** Polls, because scripts adjust to the window width a moment later. */
async function misplacedOn(page: Page): Promise<string[]> {
  for (let left = 50; ; left--) {
    const found = await page.evaluate<string[]>(misplaced)
    if (found.length === 0 || left === 0) return found
    await sleep(100)
  }
}

async function problemsOf(page: Page): Promise<string[]> {
  return [...(await misplacedOn(page)), ...(await accessibilityProblems(page))]
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  await mkdir(pictures, { recursive: true })
  const file = name.replaceAll(/\W+/g, '-').replace(/^-/, '')
  await page.screenshot({ path: join(pictures, `${file}.png`), fullPage: true })
}

/** Checks an open page or overlay in one theme and width, and its layout on a phone. Keeps the size of the window. */
export async function lookAt(page: Page, name: string, position: number): Promise<unknown[]> {
  const found: unknown[] = []
  const size = page.viewportSize()
  for (const { theme, width } of viewsOf(position)) {
    await widen(page, width)
    await page.evaluate(`document.documentElement.dataset.mantineColorScheme = '${theme}'`)
    await keepPicture(page, `${name}-${theme}-${width}`)
    for (const problem of await problemsOf(page)) found.push([name, theme, width, problem])
  }
  await widen(page, widths[2])
  for (const problem of await misplacedOn(page)) found.push([name, widths[2], problem])
  if (size) await page.setViewportSize(size)
  return found
}
