import type { CommandSource, DetectedCommand } from '@panel/contract/detection'
import { detectionNoteTexts } from '@panel/contract/detection-texts'
import { sentenceText } from '@panel/contract/sentences'
import { type Detected, overrides } from './image-builder.ts'

const maxShownLength = 300

/** What a log begins with: what was found, and what to do where it is not what was meant. */
export function detectionLines(
  { description, detected, notes, port }: Detected,
  submodules: readonly string[]
): string[] {
  const { build, start, site } = detected
  return [
    `Found ${description}.`,
    ...(build === undefined ? [] : [`  Build: ${shown(build)}`]),
    ...(start === undefined ? [] : [`  Start: ${shown(start)}`]),
    ...(site === undefined ? [] : [`  Site: the first of ${site.join(', ')} with an index.html`]),
    ...(port === undefined ? [] : [`  Port: ${port}`]),
    `  Not what you meant? ${overrides}`,
    ...notes.map((note) => `Note: ${sentenceText(detectionNoteTexts, [note])}`),
    ...(submodules.length === 0 ? [] : [`Note: submodules are not fetched: ${namesOf(submodules)}`])
  ].map((line) => `${line}\n`)
}

const sources: Readonly<Record<CommandSource, string>> = {
  SETTING: 'as the project is set',
  PROCFILE: 'from the Procfile',
  PACKAGE_JSON: 'from package.json',
  FRAMEWORK: 'as usual for the framework',
  FILE: 'by the name of the file'
}

/** On one line. */
const shown = ({ command, source }: DetectedCommand): string =>
  `${command.replace(/\s+/g, ' ').slice(0, maxShownLength)} (${sources[source]})`

const namesOf = (submodules: readonly string[]): string =>
  submodules
    .slice(0, 10)
    .map((path) => JSON.stringify(path))
    .join(', ')
