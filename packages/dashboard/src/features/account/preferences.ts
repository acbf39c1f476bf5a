import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { isLocale } from '../../i18n/messages.ts'
import { meQuery } from '../auth/me.queries.ts'

/** Applies the account’s language, theme and time zone on every browser; the browser’s own where unset. */
export function Preferences() {
  const { data: me } = useQuery(meQuery)
  const { setLocale, setTimezone } = useI18n()
  const { setColorScheme } = useMantineColorScheme()
  const { locale = null, theme = null, timezone = null } = me ?? {}
  useEffect(() => {
    const language = locale?.slice(0, 2) ?? null
    if (isLocale(language)) setLocale(language)
  }, [locale, setLocale])
  useEffect(() => {
    if (theme !== null) setColorScheme(theme === 'system' ? 'auto' : theme)
    // setColorScheme changes on every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [theme])
  useEffect(() => setTimezone(timezone ?? undefined), [timezone, setTimezone])
  return null
}
