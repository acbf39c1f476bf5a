import { describe, expect, test } from 'vitest'
import { labelStages } from './dockerfile.plan.ts'

const labelled = (text: string) => labelStages(text, { a: 'b' })

describe('labels of the stages of a Dockerfile', () => {
  test.each([
    ['one stage', 'FROM a\nRUN x', 'FROM a\nLABEL "a"="b"\nRUN x'],
    ['several, in any case', 'from a as b\nFrom c', 'from a as b\nLABEL "a"="b"\nFrom c\nLABEL "a"="b"'],
    ['over several lines', 'FROM a \\\n# why\n\n AS b\nRUN x', 'FROM a \\\n# why\n\n AS b\nLABEL "a"="b"\nRUN x'],
    [
      'not inside another instruction',
      'FROM a\nRUN x \\\nFROM y\nCMD z',
      'FROM a\nLABEL "a"="b"\nRUN x \\\nFROM y\nCMD z'
    ],
    ['with another escape', '# escape=`\nFROM a `\n AS b', '# escape=`\nFROM a `\n AS b\nLABEL "a"="b"'],
    ['line ends of Windows', 'FROM a\r\nRUN x\r\n', 'FROM a\nLABEL "a"="b"\nRUN x\n'],
    ['a here-document is left alone', 'FROM a\nRUN <<EOF\nFROM x\nEOF', 'FROM a\nRUN <<EOF\nFROM x\nEOF']
  ])('%s', (_, text, expected) => {
    expect(labelled(text)).toBe(expected)
  })

  test('values cannot be more than values', () => {
    expect(labelStages('FROM a', { k: 'x"\nRUN y $HOME \\' })).toBe('FROM a\nLABEL "k"="x\\" RUN y \\$HOME \\\\"')
  })
})
