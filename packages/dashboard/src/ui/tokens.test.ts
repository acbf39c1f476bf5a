import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

const tokensOf = (theme: string): Readonly<Record<string, string>> => {
  const block = css.split(`[data-mantine-color-scheme='${theme}'] {`)[1]!.split('}')[0]!
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]))
}

/** WCAG 2.2 relative luminance. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['surface', 'canvas', 'sunken', 'hover', 'selected']
const tones = ['ok', 'warn', 'bad', 'idle', 'info']
const pairs: readonly (readonly [name: string, ground: string, least: number])[] = [
  ...['text', 'muted', 'link', ...tones].flatMap((name) => grounds.map((ground) => [name, ground, 4.5] as const)),
  ...tones.map((tone) => [tone, `${tone}-bg`, 4.5] as const),
  ...['surface', 'canvas'].map((ground) => ['line-control', ground, 3] as const),
  ...['series-1', 'series-2', 'series-3'].map((name) => [name, 'surface', 3] as const)
]

test('black on white has a contrast of 21', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
})

test.each(['light', 'dark'])('in %s, text and controls have enough contrast on every surface', (theme) => {
  const tokens = tokensOf(theme)
  const tooLittle = pairs
    .map(([name, ground, least]) => ({ name, ground, least, has: contrast(tokens[name]!, tokens[ground]!) }))
    .filter(({ has, least }) => !(has >= least))
  expect(tooLittle).toEqual([])
})

test('text on colored buttons has enough contrast', () => {
  for (const ground of [
    '#4560e6',
    ...[...css.matchAll(/--mantine-color-red-filled[\w-]*: (#\w{6})/g)].map(([, hex]) => hex!)
  ])
    expect(contrast('#ffffff', ground), ground).toBeGreaterThanOrEqual(4.5)
})
