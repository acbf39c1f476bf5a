import { z } from 'zod'
import { sentencesOf } from './common.ts'
import { FailureSentences } from './deployments.ts'
import { detectionNoteTexts } from './detection-texts.ts'
import { ProjectType } from './projects.ts'

/** Where a command comes from, highest precedence first. */
export const commandSources = ['SETTING', 'PROCFILE', 'PACKAGE_JSON', 'TURBOREPO', 'FRAMEWORK', 'FILE'] as const
export const CommandSource = z.enum(commandSources)
export type CommandSource = z.infer<typeof CommandSource>

export const DetectedCommand = z
  .object({
    command: z.string(),
    source: CommandSource.meta({
      description:
        'SETTING: buildCmd or startCmd of the project. PROCFILE: its `web:` line. PACKAGE_JSON: a script, or `main`. TURBOREPO: a script, with what it needs of the workspace. FRAMEWORK: the ' +
        'default of the framework. FILE: a file with a well-known name.'
    })
  })
  .meta({ id: 'DetectedCommand' })
export type DetectedCommand = z.infer<typeof DetectedCommand>

export const versionSources = ['SETTING', 'FILE', 'DEFAULT'] as const
export const VersionSource = z.enum(versionSources)

export const RuntimeVersion = z
  .object({
    name: z.string().meta({ description: 'Node.js, Python or PHP.' }),
    version: z.string(),
    source: VersionSource.meta({
      description: 'SETTING: runtimeVersion of the project. FILE: `file` asks for it. DEFAULT: neither names a version.'
    }),
    file: z.string().nullable(),
    wanted: z.string().nullable().meta({ description: 'What the setting or the file says, such as `>=20 <23`.' })
  })
  .meta({ id: 'RuntimeVersion' })
export type RuntimeVersion = z.infer<typeof RuntimeVersion>

export const Detection = z
  .object({
    type: ProjectType,
    commitHash: z.string().nullable().meta({ description: 'The inspected commit; null if none.' }),
    description: z.string().nullable().meta({ description: 'One sentence, the same as at the start of a build log.' }),
    runtime: RuntimeVersion.nullable().meta({
      description: 'The version of the language that builds and runs the project; null if its type has none.'
    }),
    framework: z.string().nullable(),
    packageManager: z.string().nullable(),
    build: DetectedCommand.nullable().meta({ description: 'Null: no build step.' }),
    start: DetectedCommand.nullable().meta({
      description: 'Null: served by a built-in web server, or started as the Dockerfile says.'
    }),
    site: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Directories to look for a site in: the first with an index.html is served.' }),
    port: z.int().nullable().meta({ description: 'Null: the port that the image exposes, else 8080.' }),
    notes: z.array(z.string()).meta({ description: 'Further notes, one or two sentences each.' }),
    noteSentences: sentencesOf('DetectionNoteCode', detectionNoteTexts).meta({
      description: 'The codes of `notes`, one for each, in the same order, with their `values`.'
    }),
    problem: z.string().nullable().meta({ description: 'Why it cannot be built, and what to do.' }),
    sentences: FailureSentences,
    override: z.string().meta({ description: 'How the project can override the detection.' })
  })
  .meta({ id: 'Detection' })
export type Detection = z.infer<typeof Detection>
