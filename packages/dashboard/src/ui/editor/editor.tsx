import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers
} from '@codemirror/view'
import { getNonce } from 'get-nonce'
import { useEffect, useRef } from 'react'
import { languageOf } from './languages.ts'
import { editorTheme } from './editor-theme.ts'

interface EditorProps {
  label: string
  fileName: string
  /** Initial text only; the editor owns the text afterwards. */
  value: string
  isReadOnly: boolean
  onChange(value: string): void
  onSave(): void
}

/** Passes the CSP nonce, or the browser would block its styles. Escape, then Tab leaves the editor by keyboard. */
export function Editor({ label, fileName, value, isReadOnly, onChange, onSave }: EditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef({ onChange, onSave })
  useEffect(() => {
    latest.current = { onChange, onSave }
  })
  useEffect(() => {
    const language = new Compartment()
    const save = () => {
      latest.current.onSave()
      return true
    }
    const view = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(getNonce() ?? ''),
          EditorState.readOnly.of(isReadOnly),
          // Keeps Windows line endings.
          EditorState.lineSeparator.of(value.includes('\r\n') ? '\r\n' : '\n'),
          lineNumbers(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          language.of([]),
          editorTheme,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', dir: 'ltr' }),
          keymap.of([
            { key: 'Mod-s', preventDefault: true, run: save },
            ...searchKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            indentWithTab
          ]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.sliceDoc())
          })
        ]
      })
    })
    void languageOf(fileName).then((extension) => view.dispatch({ effects: language.reconfigure(extension) }))
    view.focus()
    return () => view.destroy()
    // oxlint-disable-next-line react/exhaustive-deps -- the editor owns the text; a new document gets a new key
  }, [])
  return <div ref={box} style={{ blockSize: '100%' }} />
}
