import type { Setting } from '@panel/contract/settings'
import { type VariableName, variableNames } from '../../config.ts'
import { changedValues } from '../../config/changed-config.policy.ts'
import { valueText } from '../../config/value-text.ts'
import { countsTexts, variableFacts } from '../../config/variable-facts.ts'
import type { LiveSettings } from '../../config/live-settings.ts'
import { fixedReason, fixedText } from './settings-change.policy.ts'

/** All settings, for an administrator. */
export function settingsView(settings: Pick<LiveSettings, 'base' | 'config' | 'stored'>): Setting[] {
  const { base, config } = settings
  const { values, ignored } = changedValues(base, settings.stored())
  return variableNames.map((name) => {
    const { group, title, about, unit, counts, restart, isSecret = restart === 'secret' } = variableFacts[name]
    const source = values.has(name) ? 'changed' : (base.sources[name] ?? 'default')
    const textOf = (value: unknown) => (isSecret ? null : valueText(value, unit))
    const fixed = fixedReason(base, name)
    return {
      name,
      value: textOf(config[name]),
      isSet: source !== 'default',
      source,
      startValue: textOf(base[name]),
      isSecret,
      isChangeable: fixed === null,
      fixedBy: fixed && fixedText(fixed),
      fixedReason: fixed,
      ignored: ignored.find(({ variable }) => variable === name)?.problem ?? null,
      unit: unit ?? null,
      group,
      title,
      about,
      counts: counts === undefined ? null : countsTexts[counts],
      countsFrom: counts ?? null
    } satisfies Setting & { name: VariableName }
  })
}
