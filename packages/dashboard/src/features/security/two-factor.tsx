import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'
import { meQuery } from '../auth/me.queries.ts'
import { securityMessages } from './security.messages.ts'

const SetUp = lazy(() => import('./set-up-two-factor.tsx').then((module) => ({ default: module.SetUpTwoFactor })))
const WithCode = lazy(() => import('./action-with-code.tsx').then((module) => ({ default: module.ActionWithCode })))
const Codes = lazy(() => import('./recovery-codes.tsx').then((module) => ({ default: module.RecoveryCodes })))

export function TwoFactor() {
  const t = useMessages(securityMessages)
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  return (
    <Section
      title={t('2fa')}
      hint={t('2fa.hint')}
      actions={
        <StatusBadge tone={me.totpEnabled ? 'ok' : me.role === 'ADMIN' ? 'warn' : 'idle'}>
          {t(me.totpEnabled ? '2fa.on' : '2fa.off')}
        </StatusBadge>
      }
    >
      {me.role === 'ADMIN' && !me.totpEnabled && <Notice tone="warn">{t('2fa.admin')}</Notice>}
      <Actions isOn={me.totpEnabled} />
    </Section>
  )
}

/** Secrets are kept only in this state. */
type Opened = { setUp: Schema<'TwoFactorSetup'> } | { codes: readonly string[] } | 'renew' | 'disable'

function Actions({ isOn }: { isOn: boolean }) {
  const t = useMessages(securityMessages)
  const [opened, setOpened] = useState<Opened>()
  const prepare = useAction({
    run: () => data(api.POST('/api/auth/2fa/setup')),
    invalidates: [],
    onDone: (setUp) => setOpened({ setUp })
  })
  const close = () => setOpened(undefined)
  const showCodes = ({ recoveryCodes }: Schema<'RecoveryCodes'>) => setOpened({ codes: recoveryCodes })
  return (
    <>
      <Group gap="sm" mt="sm">
        {isOn ? (
          <>
            <Button variant="default" onClick={() => setOpened('renew')}>
              {t('codes.renew')}
            </Button>
            <Button variant="default" onClick={() => setOpened('disable')}>
              {t('2fa.disable')}
            </Button>
          </>
        ) : (
          <Button loading={prepare.isPending} onClick={() => prepare.start()}>
            {t('2fa.setUp')}
          </Button>
        )}
      </Group>
      <Suspense fallback={null}>
        {opened === 'disable' && <WithCode action="disable" onDone={close} onClose={close} />}
        {opened === 'renew' && <WithCode action="renew" onDone={showCodes} onClose={close} />}
        {typeof opened === 'object' && 'setUp' in opened && (
          <SetUp setUp={opened.setUp} onDone={showCodes} onClose={close} />
        )}
        {typeof opened === 'object' && 'codes' in opened && <Codes codes={opened.codes} onClose={close} />}
      </Suspense>
    </>
  )
}
