import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Filter } from '../../ui/filter.tsx'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { useSentenceText } from '../../ui/sentence-text.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { settingsMessages, settingWords } from './settings.messages.ts'
import { type Setting, type SettingShow, settingShows } from './settings.queries.ts'
import classes from './settings.module.css'
import { useDescribed } from './use-described.ts'

const ChangeSetting = lazy(() => import('./change-setting.tsx').then((module) => ({ default: module.ChangeSetting })))

const perPage = 25
const isIn: Record<SettingShow, (setting: Setting) => boolean> = {
  changeable: ({ isChangeable, source }) => isChangeable || source === 'changed',
  set: ({ isSet }) => isSet,
  all: () => true
}

interface SettingTableProps {
  settings: readonly Setting[]
  /** Settings page of one group: no search, shows all. */
  isWhole?: boolean
}

export function SettingTable({ settings: given, isWhole = false }: SettingTableProps) {
  const t = useMessages(settingsMessages)
  const settings = useDescribed(given)
  const { q = '', show = 'changeable', page: requested = 1 } = useSearch({ from: '/signed-in/server/settings' })
  const [changed, setChanged] = useState<string>()
  const words = q.toLowerCase()
  const isFound = (setting: Setting) =>
    isIn[show](setting) && `${setting.name} ${setting.title} ${setting.about}`.toLowerCase().includes(words)
  const found = isWhole
    ? settings.toSorted((a, b) => Number(b.isChangeable) - Number(a.isChangeable))
    : settings.filter(isFound)
  const size = isWhole ? found.length : perPage
  const page = Math.max(1, Math.min(requested, Math.ceil(found.length / size)))
  const open = settings.find(({ name }) => name === changed)
  return (
    <section className={card.card} aria-label={t('settings')}>
      {!isWhole && (
        <div className={card.toolbar}>
          <SearchBox label={t('search')} />
          <Filter
            label={t('show')}
            name="show"
            options={settingShows.map((value) => ({ value, label: t(`show.${value}`) }))}
            selected={show}
          />
        </div>
      )}
      {found.length === 0 ? (
        <NothingMatches hint={t('none.hint')} filters={[t(`show.${show}`)]} />
      ) : (
        <Rows settings={found.slice((page - 1) * size, page * size)} onChange={setChanged} />
      )}
      {!isWhole && <Pagination page={page} limit={perPage} total={found.length} />}
      {open && (
        <Suspense fallback={null}>
          <ChangeSetting setting={open} onClose={() => setChanged(undefined)} />
        </Suspense>
      )}
    </section>
  )
}

function Rows({ settings, onChange }: { settings: readonly Setting[]; onChange(name: string): void }) {
  const t = useMessages(settingsMessages)
  const say = useSentenceText(settingWords)
  return (
    <table className={`${card.table} ${card.cards} ${classes.settings}`}>
      <thead>
        <tr>
          <th scope="col">{t('setting')}</th>
          <th scope="col">{t('value')}</th>
          <th scope="col">{t('source')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {settings.map((setting) => (
          <tr key={setting.name}>
            <td className={classes.name}>
              <strong>{setting.title}</strong>
              <div className={card.sub}>{setting.about}</div>
              <code className={classes.variable}>{setting.name}</code>
            </td>
            <td className={classes.value}>
              <Value setting={setting} />
            </td>
            <td>
              <StatusBadge tone={setting.source === 'changed' ? 'info' : 'idle'}>
                {t(`source.${setting.source}`)}
              </StatusBadge>
              {setting.fixedReason !== null && (
                <div className={card.sub}>
                  {t('fixed', { why: say([{ code: setting.fixedReason }]) ?? setting.fixedBy ?? '' })}
                </div>
              )}
              {setting.ignored !== null && <div className={classes.bad}>{t('ignored', { why: setting.ignored })}</div>}
            </td>
            <td className={card.end}>
              {(setting.isChangeable || setting.source === 'changed') && (
                <Button size="xs" variant="default" onClick={() => onChange(setting.name)}>
                  {t('change')} <span className="vh">{setting.title}</span>
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ setting: { value, unit, isSecret, isSet } }: { setting: Setting }) {
  const t = useMessages(settingsMessages)
  const say = useSentenceText(settingWords)
  if (isSecret) return <span className={card.sub}>{t(isSet ? 'secret.set' : 'notSet')}</span>
  if (value === null || value === '') return <span className={card.sub}>{t('notSet')}</span>
  return (
    <>
      <code dir="ltr">{value}</code>{' '}
      {unit !== null && unit !== 'bytes' && <span className={card.sub}>{say([{ code: unit }]) ?? unit}</span>}
    </>
  )
}
