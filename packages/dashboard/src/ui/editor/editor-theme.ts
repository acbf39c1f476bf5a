import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Uses our tokens so that one theme serves light and dark. */
export const editorTheme: Extension = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '0.8125rem' },
    '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
    '.cm-content': { caretColor: 'var(--text)' },
    '.cm-cursor': { borderInlineStartColor: 'var(--text)' },
    '&.cm-focused': { outline: 'none' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--info-bg)'
    },
    '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
    '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
    '.cm-panel input, .cm-panel button': {
      color: 'var(--text)',
      backgroundColor: 'var(--surface)',
      backgroundImage: 'none'
    },
    '.cm-specialChar': { color: 'var(--bad)' }
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--info)' },
      { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--ok)' },
      { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
      { tag: [tags.comment, tags.meta], color: 'var(--muted)', fontStyle: 'italic' },
      { tag: [tags.typeName, tags.className, tags.tagName, tags.propertyName], color: 'var(--link)' },
      { tag: tags.heading, fontWeight: '600' },
      { tag: tags.invalid, color: 'var(--bad)' }
    ])
  )
]
