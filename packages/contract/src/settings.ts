import { z } from 'zod'
import { singleLine } from './common.ts'
import { words } from './details.ts'

const settingSources = ['default', 'file', 'environment', 'changed'] as const
export const SettingSource = z.enum(settingSources)
export type SettingSource = z.infer<typeof SettingSource>

/** Why a setting cannot be changed here; all reasons except the first require a restart. */
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
export const SettingGroup = z.enum(settingGroups)
export type SettingGroup = z.infer<typeof SettingGroup>

/** What keeps a setting from being changed: all but the first take a restart. */
export const settingFixedReasons = ['environment', 'listens', 'place', 'secret', 'program', 'trust', 'process'] as const
export const SettingFixedReason = z.enum(settingFixedReasons)
export type SettingFixedReason = z.infer<typeof SettingFixedReason>

/** The next event that uses the new value. */
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
    name: z.string().meta({ description: 'Name of the variable, as in docs/operations.md.' }),
    value: z.string().nullable().meta({
      description: 'The effective value in the format of the variable; null if it is not set, and always for secrets.'
    }),
    isSet: z.boolean().meta({ description: 'Whether it is set; the only information returned about a secret.' }),
    source: SettingSource.meta({
      description:
        'Where the value comes from: the environment takes precedence, then changes made here, then `DATA_DIR/panel.env`.'
    }),
    startValue: z.string().nullable().meta({ description: 'The value without changes made here, as at startup.' }),
    isSecret: z.boolean(),
    isChangeable: z.boolean().meta({ description: 'Whether PUT accepts it at the moment.' }),
    fixedBy: z.string().nullable().meta({ description: 'Why PUT does not accept it, as text.' }),
    fixedReason: SettingFixedReason.nullable().meta({ description: 'The same as a code.' }),
    ignored: z.string().nullable().meta({ description: 'Why the value set here is ignored, if it is.' }),
    unit: z.string().nullable(),
    group: SettingGroup.meta({ description: 'The page of the settings that it is on.' }),
    title: z.string(),
    about: z.string(),
    counts: z.string().nullable().meta({ description: 'When a change takes effect, if not immediately.' }),
    countsFrom: SettingCountsFrom.nullable().meta({ description: 'The same as a code.' })
  })
  .meta({ id: 'Setting' })
export type Setting = z.infer<typeof Setting>

export const ServerSettings = z
  .object({
    timezone: z.string().meta({ description: 'IANA time zone of nightly jobs and reports.' }),
    variables: z.array(Setting).optional().meta({ description: 'For an ADMIN: all variables that the panel reads.' })
  })
  .meta({ id: 'ServerSettings' })
export type ServerSettings = z.infer<typeof ServerSettings>

export const maxSettingLength = 4_000

export const ChangeSettings = z
  .strictObject({
    timezone: singleLine(64)
      .nullable()
      .optional()
      .meta({
        description:
          'IANA time zone name, case-insensitive; links such as `US/Eastern` are stored as their target. Offsets and abbreviations are not ' +
          'accepted. Null resets to the time zone of the host.'
      }),
    variables: z
      .record(z.string().max(64), z.union([singleLine(maxSettingLength), z.number(), z.boolean(), z.null()]))
      .optional()
      .meta({
        description:
          'Values by name, in the format of the environment (`128m`, `true`, `1.1.1.1,9.9.9.9`); null reverts a change.'
      })
  })
  .refine(({ timezone, variables }) => timezone !== undefined || Object.keys(variables ?? {}).length > 0, {
    error: words.NOTHING_TO_CHANGE
  })
export type ChangeSettings = z.infer<typeof ChangeSettings>
