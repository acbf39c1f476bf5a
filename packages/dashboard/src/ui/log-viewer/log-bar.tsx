import { TextInput } from '@mantine/core'
import {
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconCopy,
  IconDownload,
  IconSearch,
  IconTextWrap
} from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { IconButton } from '../icon-button.tsx'
import { useCopied } from '../use-copied.ts'
import { saveText } from '../save-text.ts'
import { withoutEscapes } from './ansi.ts'
import classes from './log-bar.module.css'
import type { LogBuffer } from './log-buffer.ts'
import { logMessages } from './log-viewer.messages.ts'

interface LogBarProps {
  buffer: LogBuffer
  fileName: string
  status?: ReactNode
  find: string
  onFind(text: string): void
  search: { matches: readonly number[]; at: number; go(by: 1 | -1): void }
  isWrapped: boolean
  onWrap(): void
  searchBox: Ref<HTMLInputElement>
  onLeave(): void
}

export function LogBar({
  buffer,
  fileName,
  status,
  find,
  onFind,
  search,
  isWrapped,
  onWrap,
  searchBox,
  onLeave
}: LogBarProps) {
  const t = useMessages(logMessages)
  const { isCopied, copy } = useCopied()
  const { matches, at, go } = search
  const allText = () => buffer.lines.map(withoutEscapes).join('\n')
  const onKeyDown = ({ key, shiftKey }: KeyboardEvent) => {
    if (key === 'Enter') go(shiftKey ? -1 : 1)
    if (key !== 'Escape') return
    onFind('')
    onLeave()
  }
  return (
    <div className={classes.bar}>
      <div className={classes.status}>
        {status}
        <span className={classes.count}>{t('lines', { count: buffer.lines.length })}</span>
      </div>
      <TextInput
        ref={searchBox}
        size="xs"
        className={classes.search!}
        aria-label={t('find')}
        placeholder={t('find')}
        value={find}
        onChange={({ currentTarget }) => onFind(currentTarget.value)}
        onKeyDown={onKeyDown}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSectionWidth={find === '' ? 0 : 76}
        rightSection={
          find !== '' && (
            <span className={classes.found} role="status">
              {matches.length > 0 ? t('matches', { at: at + 1, total: matches.length }) : t('none')}
            </span>
          )
        }
      />
      <span className={classes.tools}>
        <IconButton label={t('previous')} disabled={matches.length === 0} onClick={() => go(-1)}>
          <IconChevronUp size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('next')} disabled={matches.length === 0} onClick={() => go(1)}>
          <IconChevronDown size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('wrap')} aria-pressed={isWrapped} onClick={onWrap}>
          <IconTextWrap size={16} aria-hidden />
        </IconButton>
        <IconButton label={t(isCopied ? 'copied' : 'copy')} disabled={!buffer.isWhole} onClick={() => copy(allText())}>
          {isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </IconButton>
        <IconButton label={t('download')} disabled={!buffer.isWhole} onClick={() => saveText(fileName, allText())}>
          <IconDownload size={16} aria-hidden />
        </IconButton>
      </span>
    </div>
  )
}
