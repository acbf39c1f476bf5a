import { z } from 'zod'
import { singleLine } from './common.ts'
import { words } from './details.ts'

const settingSources = ['default', 'file', 'environment', 'changed'] as const
export const SettingSource = z.enum(settingSources)
export type SettingSource = z.infer<typeof SettingSource>

/** The pages of the settings. */
export const settingGroups = [
  'names',
  'accounts',
  'dns',
  'certificates',
  'mail',
  'containers',
  'builds',
  'files',
  'monitoring',
  'retention',
  'server'
] as const
export const SettingGroup = z.enum(settingGroups)
export type SettingGroup = z.infer<typeof SettingGroup>

/** What keeps a setting from being changed: all but the first take a restart. */
export const settingFixedReasons = ['environment', 'listens', 'place', 'secret', 'program', 'trust', 'process'] as const
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
    name: z.string().meta({ description: 'The environment variable, as in docs/settings.md.' }),
    value: z.string().nullable().meta({
      description: 'The value in effect, as it is written; null where it is not set, and always for secrets.'
    }),
    isSet: z.boolean().meta({ description: 'Whether it differs from the default. All that is shown of a secret.' }),
    source: SettingSource.meta({
      description:
        'Where the value comes from, by priority: the environment, a change here, `DATA_DIR/panel.env`, the default.'
    }),
    startValue: z.string().nullable().meta({ description: 'The value without a change here.' }),
    isSecret: z.boolean(),
    isChangeable: z.boolean().meta({ description: 'Whether it can be changed here.' }),
    fixedBy: z.string().nullable().meta({ description: 'Why it cannot be changed here.' }),
    fixedReason: SettingFixedReason.nullable().meta({ description: 'The same as a code.' }),
    ignored: z.string().nullable().meta({ description: 'Why the value that was changed here is not in effect.' }),
    unit: z.string().nullable(),
    group: SettingGroup.meta({ description: 'The page of the settings that it is on.' }),
    title: z.string(),
    about: z.string(),
    counts: z.string().nullable().meta({ description: 'When a change takes effect, unless immediately.' }),
    countsFrom: SettingCountsFrom.nullable().meta({ description: 'The same as a code.' })
  })
  .meta({ id: 'Setting' })
export type Setting = z.infer<typeof Setting>

export const ServerSettings = z
  .object({
    timezone: z.string().meta({ description: 'IANA name of the time zone of scheduled work and reports.' }),
    sampleRepository: z
      .string()
      .nullable()
      .meta({ description: 'Git address of a sample application that comes with the panel, to try a deployment.' }),
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
