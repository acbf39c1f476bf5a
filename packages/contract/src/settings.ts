import { z } from 'zod'
import { singleLine } from './common.ts'
import { words } from './details.ts'

const settingSources = ['default', 'file', 'environment', 'changed'] as const
export const SettingSource = z.enum(settingSources)
export type SettingSource = z.infer<typeof SettingSource>

/** What keeps a setting from being changed: all but the first take a restart. */
export const settingFixedReasons = [
  'environment',
  'listens',
  'place',
  'secret',
  'name',
  'program',
  'trust',
  'process'
] as const
export const SettingFixedReason = z.enum(settingFixedReasons)
export type SettingFixedReason = z.infer<typeof SettingFixedReason>

/** What comes next that goes by a change. */
export const settingCountsFrom = [
  'deployment',
  'build',
  'round',
  'signIn',
  'password',
  'importBegun',
  'buildBegun'
] as const
export const SettingCountsFrom = z.enum(settingCountsFrom)
export type SettingCountsFrom = z.infer<typeof SettingCountsFrom>

export const Setting = z
  .object({
    name: z.string().meta({ description: 'Of the variable, as in docs/operations.md.' }),
    value: z.string().nullable().meta({
      description: 'What counts now, as one would write it; null where it is not set, and always for secrets.'
    }),
    isSet: z.boolean().meta({ description: 'Whether anybody has set it; of a secret this is all that is told.' }),
    source: SettingSource.meta({
      description: 'Who has set it: the environment wins, then what was changed here, then `DATA_DIR/panel.env`.'
    }),
    startValue: z
      .string()
      .nullable()
      .meta({ description: 'What counts where nothing is changed here: so it was at the start.' }),
    isSecret: z.boolean(),
    isChangeable: z.boolean().meta({ description: 'Whether PUT takes it now.' }),
    fixedBy: z.string().nullable().meta({ description: 'Why it does not, in words.' }),
    fixedReason: SettingFixedReason.nullable().meta({ description: 'The same as a code.' }),
    ignored: z
      .string()
      .nullable()
      .meta({ description: 'What is wrong with the value that was changed here, where it does not count.' }),
    unit: z.string().nullable(),
    about: z.string(),
    counts: z.string().nullable().meta({ description: 'When a change counts, where that is not at once.' }),
    countsFrom: SettingCountsFrom.nullable().meta({ description: 'The same as a code.' })
  })
  .meta({ id: 'Setting' })
export type Setting = z.infer<typeof Setting>

export const ServerSettings = z
  .object({
    timezone: z.string().meta({ description: 'IANA name, by whose clock nightly work and reports come.' }),
    variables: z.array(Setting).optional().meta({ description: 'For an ADMIN: all that the panel reads.' })
  })
  .meta({ id: 'ServerSettings' })
export type ServerSettings = z.infer<typeof ServerSettings>

export const maxSettingLength = 4_000

/** Which names there are, and what each takes, the server says. */
export const ChangeSettings = z
  .strictObject({
    timezone: singleLine(64)
      .nullable()
      .optional()
      .meta({
        description:
          'A name of the IANA database in any case, links too (`US/Eastern`); kept is the one that they lead to. Neither offsets nor ' +
          'abbreviations. With null it is the machine’s own again.'
      }),
    variables: z
      .record(z.string().max(64), z.union([singleLine(maxSettingLength), z.number(), z.boolean(), z.null()]))
      .optional()
      .meta({
        description:
          'By name, values as in the environment (`128m`, `true`, `1.1.1.1,9.9.9.9`); null takes a change back.'
      })
  })
  .refine(({ timezone, variables }) => timezone !== undefined || Object.keys(variables ?? {}).length > 0, {
    error: words.NOTHING_TO_CHANGE
  })
export type ChangeSettings = z.infer<typeof ChangeSettings>
