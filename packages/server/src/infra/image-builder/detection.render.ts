import type { CommandSource, DetectedCommand, RuntimeVersion } from '@panel/contract/detection'
import { detectionNoteTexts } from '@panel/contract/detection-texts'
import { sentenceText } from '@panel/contract/sentences'
import { type Detected, overrides } from './image-builder.ts'

const maxShownLength = 300

export function detectionLines(
  { description, detected, notes, port, processes = {} }: Detected,
  submodules: readonly string[]
): string[] {
  const { runtime, build, start, site } = detected
  return [
    `Found ${description}.`,
    ...(runtime === undefined ? [] : [`  Version: ${versionReason(runtime)}`]),
    ...(build === undefined ? [] : [`  Build: ${shown(build)}`]),
    ...(start === undefined ? [] : [`  Start: ${shown(start)}`]),
    ...(site === undefined ? [] : [`  Site: the first of ${site.join(', ')} with an index.html`]),
    ...Object.entries(processes)
      .filter(([name]) => name !== 'web')
      .map(([name, command]) => `  ${name}: ${shown({ command, source: 'PROCFILE' })}`),
    ...(port === undefined ? [] : [`  Port: ${port}`]),
    `  Not right? ${overrides}`,
    ...notes.map((note) => `Note: ${sentenceText(detectionNoteTexts, [note])}`),
    ...(submodules.length === 0 ? [] : [`Note: submodules are not fetched: ${namesOf(submodules)}`])
  ].map((line) => `${line}\n`)
}

const sources: Readonly<Record<CommandSource, string>> = {
  SETTING: 'from the project settings',
  PROCFILE: 'from the Procfile',
  PACKAGE_JSON: 'from package.json',
  TURBOREPO: 'from package.json, through Turborepo',
  FRAMEWORK: 'framework default',
  FILE: 'from the file name'
}

function versionReason({ name, version, source, file, wanted }: RuntimeVersion): string {
  const reasons = { SETTING: 'from the project settings', FILE: `${file} asks for ${wanted}`, DEFAULT: 'default' }
  return `${name} ${version} (${reasons[source].slice(0, maxShownLength)})`
}

const shown = ({ command, source }: DetectedCommand): string =>
  `${command.replace(/\s+/g, ' ').slice(0, maxShownLength)} (${sources[source]})`

const namesOf = (submodules: readonly string[]): string =>
  submodules
    .slice(0, 10)
    .map((path) => JSON.stringify(path))
    .join(', ')
