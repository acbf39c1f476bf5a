import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconApi, IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, data, hasStatus } from '../api/client.ts'
import { onSessionEnd } from '../api/session.ts'
import { usePreference } from '../features/account/use-preference.ts'
import { useI18n, useMessages } from '../i18n/i18n.tsx'
import { locales } from '../i18n/messages.ts'
import type { MenuParts } from '../ui/lazy-menu.tsx'
import { useOnce } from '../ui/use-once.ts'
import { sendWaitingActions } from '../ui/waiting-actions.ts'
import { ownItems } from './nav-items.ts'
import { shellMessages } from './shell.messages.ts'

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop }
] as const

export function UserMenuBody({ target, onClose }: MenuParts) {
  const t = useMessages(shellMessages)
  const { locale } = useI18n()
  const { colorScheme } = useMantineColorScheme()
  const prefer = usePreference()
  const signOut = useSignOut()
  return (
    <Menu defaultOpened onClose={onClose} width={220} position="top-start">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown aria-label={t('menu')}>
        {ownItems.map(({ to, label, icon: Glyph }) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Glyph size={16} aria-hidden />}>
            {t(label)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('theme')}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => prefer({ theme: value === 'auto' ? 'system' : (value as 'light' | 'dark') })}
        >
          {schemes.map(({ value, icon: Glyph }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick={false} rightSection={<Glyph size={16} />}>
              {t(`theme.${value}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>{t('language')}</Menu.Label>
        <Menu.RadioGroup value={locale} onChange={(value) => prefer({ locale: value })}>
          {Object.entries(locales).map(([code, name]) => (
            <Menu.RadioItem key={code} value={code} lang={code}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component="a" href="/api/docs" leftSection={<IconApi size={16} aria-hidden />}>
          {t('apiReference')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function useSignOut() {
  const t = useMessages(shellMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    onSessionEnd(undefined) // No prompt to sign in again after signing out.
    client.clear()
    await navigate({ to: '/login' })
  }
  return useOnce({
    mutationFn: async () => {
      await sendWaitingActions()
      return data(api.POST('/api/auth/logout'))
    },
    onSuccess: leave,
    onError: (error) => {
      if (hasStatus(error, 401)) return leave()
      // The session cookie is still valid, so the user must know.
      const message = t('signOut.failed', { reason: error.message })
      return void notifications.show({ color: 'red', autoClose: false, message, role: 'alert' })
    }
  })
}
