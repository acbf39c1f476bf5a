import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { startTerminal, type TerminalEnded } from '@panel/client'
import { useEffect, useRef } from 'react'
import { documentWithNonce, withNonce } from './style-nonce.ts'
import { terminalTheme } from './terminal-theme.ts'
import classes from './terminal.module.css'

interface Props {
  projectId: string
  label: string
  onReady(): void
  onEnd(ended: TerminalEnded): void
}

/** One terminal session. Escape, then Tab leaves it by keyboard. */
export function TerminalScreen({ projectId, label, onReady, onEnd }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef({ onReady, onEnd })
  useEffect(() => {
    latest.current = { onReady, onEnd }
  })
  useEffect(() => {
    const style = getComputedStyle(box.current!)
    const terminal = new Terminal({
      theme: terminalTheme(),
      fontFamily: style.getPropertyValue('--mantine-font-family-monospace') || 'monospace',
      fontSize: 13,
      screenReaderMode: true,
      scrollback: 5_000,
      documentOverride: documentWithNonce()
    })
    const fit = new FitAddon()
    terminal.loadAddon(fit)
    withNonce(() => terminal.open(box.current!))
    terminal.textarea?.setAttribute('aria-label', label)
    fit.fit()
    leaveByEscapeAndTab(terminal)
    const { columns, rows } = { columns: terminal.cols, rows: terminal.rows }
    const encoder = new TextEncoder()
    const session = startTerminal(new WebSocket(addressOf(projectId)), {
      columns,
      rows,
      onReady() {
        terminal.focus()
        latest.current.onReady()
      },
      onOutput: (bytes, done) => terminal.write(bytes, done),
      onEnd(ended) {
        terminal.options.disableStdin = true
        latest.current.onEnd(ended)
      }
    })
    terminal.onData((text) => void session.write(encoder.encode(text)))
    // Reports of the mouse in old encodings: one byte per character.
    terminal.onBinary((text) => void session.write(Uint8Array.from(text, (character) => character.charCodeAt(0))))
    terminal.onResize(({ cols, rows }) => session.resize(cols, rows))
    const size = new ResizeObserver(() => fit.fit())
    size.observe(box.current!)
    const theme = new MutationObserver(() => (terminal.options.theme = terminalTheme()))
    theme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      size.disconnect()
      theme.disconnect()
      session.close()
      terminal.dispose()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one session; a new one gets a new key
  }, [])
  return <div ref={box} className={classes.screen} dir="ltr" />
}

function addressOf(projectId: string): string {
  const url = new URL(`/api/projects/${encodeURIComponent(projectId)}/terminal`, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** The program gets Escape; only the Tab after it goes to the browser. */
function leaveByEscapeAndTab(terminal: Terminal): void {
  let isLeaving = false
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true
    const isTab = event.key === 'Tab'
    if (isTab && isLeaving) return false
    if (event.key !== 'Shift') isLeaving = event.key === 'Escape'
    return true
  })
}
