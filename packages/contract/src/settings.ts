import { z } from 'zod'
import { singleLine } from './common.ts'
import { words } from './details.ts'

const settingSources = ['default', 'file', 'environment', 'changed'] as const
export const SettingSource = z.enum(settingSources)
export type SettingSource = z.infer<typeof SettingSource>

/** Settings pages. */
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

/** Why a setting cannot be changed; all but the first require a restart. */
export const settingFixedReasons = ['environment', 'listens', 'place', 'secret', 'program', 'trust', 'process'] as const
export const SettingFixedReason = z.enum(settingFixedReasons)
export type SettingFixedReason = z.infer<typeof SettingFixedReason>

/** When a change takes effect. */
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
      description: 'The value in effect; null if it is not set, and always for secrets.'
    }),
    isSet: z
      .boolean()
      .meta({ description: 'Whether it differs from the default. The only information about a secret.' }),
    source: SettingSource.meta({
      description:
        'Where the value comes from, by priority: the environment, a change here, `DATA_DIR/panel.env`, the default.'
    }),
    startValue: z.string().nullable().meta({ description: 'The value without a change here.' }),
    isSecret: z.boolean(),
    isChangeable: z.boolean().meta({ description: 'Whether it can be changed here.' }),
    fixedBy: z.string().nullable().meta({ description: 'Why it cannot be changed here.' }),
    fixedReason: SettingFixedReason.nullable().meta({ description: 'The same as a code.' }),
    ignored: z.string().nullable().meta({ description: 'Why a value that was set here is not in effect.' }),
    unit: z.string().nullable(),
    group: SettingGroup.meta({ description: 'The settings page that shows it.' }),
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
      .meta({ description: 'Repository URL of the bundled sample application, to try a deployment.' }),
    variables: z.array(Setting).optional().meta({ description: 'For an ADMIN: all settings.' })
  })
  .meta({ id: 'ServerSettings' })
export type ServerSettings = z.infer<typeof ServerSettings>

export const maxSettingLength = 4_000

/** Names and values are validated by the server. */
export const ChangeSettings = z
  .strictObject({
    timezone: singleLine(64)
      .nullable()
      .optional()
      .meta({
        description:
          'Name of the IANA database, case-insensitive. A link such as `US/Eastern` is stored as its target. Neither offsets nor ' +
          'abbreviations. Null resets it to the time zone of the machine.'
      }),
    variables: z
      .record(z.string().max(64), z.union([singleLine(maxSettingLength), z.number(), z.boolean(), z.null()]))
      .optional()
      .meta({
        description:
          'By name, with values as in the environment (`128m`, `true`, `1.1.1.1,9.9.9.9`). Null removes a change.'
      })
  })
  .refine(({ timezone, variables }) => timezone !== undefined || Object.keys(variables ?? {}).length > 0, {
    error: words.NOTHING_TO_CHANGE
  })
export type ChangeSettings = z.infer<typeof ChangeSettings>
