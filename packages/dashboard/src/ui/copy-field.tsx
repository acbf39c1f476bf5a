import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useMessages } from '../i18n/i18n.tsx'
import classes from './copy-field.module.css'
import { IconButton } from './icon-button.tsx'
import { uiMessages } from './ui.messages.ts'
import { useCopied } from './use-copied.ts'

export function CopyField({ label, value }: { label: string; value: string }) {
  const t = useMessages(uiMessages)
  const { isCopied, copy } = useCopied()
  return (
    <div className={classes.field}>
      <span className={classes.label}>{label}</span>
      <span className={classes.box}>
        <code className={classes.value} dir="ltr" tabIndex={0}>
          {value}
        </code>
        <IconButton label={t(isCopied ? 'copied' : 'copy')} onClick={() => copy(value)}>
          {isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </IconButton>
      </span>
    </div>
  )
}
