import { Button, TextInput } from '@mantine/core'
import { ChangeSettings } from '@panel/contract/settings'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import { HealthSection } from '../settings/health-section.tsx'
import { changeSettings, type Setting, settingsQuery } from '../settings/settings.queries.ts'
import type { Steps } from './use-steps.ts'
import { welcomeMessages } from './welcome.messages.ts'
import classes from './welcome.module.css'

export function TwoFactorStep() {
  const t = useMessages(welcomeMessages)
  return (
    <div className={classes.acts}>
      <Button component={Link} to="/account/security">
        {t('twoFactor.enable')}
      </Button>
    </div>
  )
}

/** Names for this server's name servers, and the glue records that the registrar needs. */
export function NameServersStep({ steps: { dns, nameServers } }: { steps: Steps }) {
  const t = useMessages(welcomeMessages)
  const client = useQueryClient()
  const domain = dns.data?.domain ?? null
  const suggested = nameServers?.value ?? (domain === null ? '' : `ns1.${domain},ns2.${domain}`)
  const { form, submit, isPending, failure } = useContractForm({
    schema: ChangeSettings,
    initialValues: { variables: { DNS_NAMESERVERS: suggested } },
    send: changeSettings,
    onSaved: (settings) => client.setQueryData(settingsQuery.queryKey, settings)
  })
  const publicIp = dns.data?.publicIp ?? null
  return (
    <form onSubmit={submit} noValidate className={classes.body}>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <TextInput
        label={t('nameServers.names')}
        description={t('nameServers.names.hint')}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('variables.DNS_NAMESERVERS')}
      />
      {publicIp !== null &&
        suggested
          .split(',')
          .filter((name) => name !== '')
          .map((name) => <CopyField key={name} label={t('nameServers.glue', { name })} value={publicIp} />)}
      <div>
        <Button type="submit" loading={isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

const parts = ['imapServer', 'mailTransfer', 'mailSigner', 'mailFilter']

/** Turns the mail servers on or off, and shows their progress. */
export function MailStep({ steps: { mail } }: { steps: Steps }) {
  const t = useMessages(welcomeMessages)
  const isOn = mail?.value === 'true'
  const change = useAction({
    run: () => changeSettings({ variables: { MAIL: !isOn } }),
    invalidates: [settingsQuery.queryKey, ['health']]
  })
  return (
    <div className={classes.body}>
      {isOn && <HealthSection only={parts} />}
      <div className={classes.acts}>
        <Button
          variant={isOn ? 'default' : 'filled'}
          loading={change.isPending}
          disabled={!canChange(mail)}
          onClick={() => change.start()}
        >
          {t(isOn ? 'mail.off' : 'mail.on')}
        </Button>
        <Link to="/server/settings/$group" params={{ group: 'mail' }}>
          {t('mail.settings')}
        </Link>
      </div>
    </div>
  )
}

const canChange = (setting: Setting | undefined) => setting?.isChangeable ?? false
