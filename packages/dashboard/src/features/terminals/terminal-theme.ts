import type { ITheme } from '@xterm/xterm'

/** Our tokens for the colours of a terminal; read again when the colour scheme changes. */
const tokens = {
  background: '--surface',
  foreground: '--text',
  cursor: '--text',
  cursorAccent: '--surface',
  selectionBackground: '--selected',
  black: '--text',
  red: '--bad',
  green: '--ok',
  yellow: '--warn',
  blue: '--link',
  magenta: '--series-3',
  cyan: '--series-2',
  white: '--muted',
  brightBlack: '--muted',
  brightRed: '--bad',
  brightGreen: '--ok',
  brightYellow: '--warn',
  brightBlue: '--series-1',
  brightMagenta: '--series-3',
  brightCyan: '--series-2',
  brightWhite: '--text'
} as const satisfies ITheme

export function terminalTheme(): ITheme {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()]))
}
