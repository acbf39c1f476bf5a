import { z } from 'zod'
import { sentencesOf } from './common.ts'
import { FailureSentences } from './deployments.ts'
import { detectionNoteTexts } from './detection-texts.ts'
import { ProjectType } from './projects.ts'

/** Where a command comes from, the strongest first. */
export const commandSources = ['SETTING', 'PROCFILE', 'PACKAGE_JSON', 'FRAMEWORK', 'FILE'] as const
export const CommandSource = z.enum(commandSources)
export type CommandSource = z.infer<typeof CommandSource>

export const DetectedCommand = z
  .object({
    command: z.string(),
    source: CommandSource.meta({
      description:
        'SETTING: buildCmd or startCmd of the project. PROCFILE: its `web:` line. PACKAGE_JSON: a script, or `main`. FRAMEWORK: as is usual for ' +
        'the framework. FILE: a file whose name says it.'
    })
  })
  .meta({ id: 'DetectedCommand' })
export type DetectedCommand = z.infer<typeof DetectedCommand>

export const Detection = z
  .object({
    type: ProjectType,
    commitHash: z.string().nullable().meta({ description: 'The commit that was looked at; null where none was.' }),
    description: z.string().nullable().meta({ description: 'In a sentence, as the log of a build begins with it.' }),
    framework: z.string().nullable(),
    packageManager: z.string().nullable(),
    build: DetectedCommand.nullable().meta({ description: 'Null: nothing is built.' }),
    start: DetectedCommand.nullable().meta({
      description: 'Null: a web server of ours serves the site, or the Dockerfile says what starts.'
    }),
    site: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Folders that a site is looked for in: the first one with an index.html is served.' }),
    port: z.int().nullable().meta({ description: 'Null: the one that the image exposes, else 8080.' }),
    notes: z.array(z.string()).meta({ description: 'What else there is to know of it, a sentence or two each.' }),
    noteSentences: sentencesOf('DetectionNoteCode', detectionNoteTexts).meta({
      description:
        'The same as `notes`, one for each and in their order, for programs and other languages: `values` are what each tells.'
    }),
    problem: z.string().nullable().meta({ description: 'Why it cannot be built as it is, with what to do.' }),
    sentences: FailureSentences,
    override: z.string().meta({ description: 'How the project says otherwise.' })
  })
  .meta({ id: 'Detection' })
export type Detection = z.infer<typeof Detection>
