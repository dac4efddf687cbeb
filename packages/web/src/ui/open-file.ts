import type { Route } from '@proofdesk/contract/route'
import { OBJECT_URL_REVOKE_MS } from '@proofdesk/contract/limits'
import { m } from '../paraglide/messages.js'
import { showNotice } from './ask.ts'
import { NetworkError } from '../lib/api-error.ts'
import { callFile } from '../lib/call.ts'
import type { Input } from '../lib/send.ts'

/** What the server stores; anything else would run in our origin if it were opened. */
const OPENABLE = new Set(['application/pdf', 'image/jpeg', 'image/png'])

/**
 * Opens a stored file in a new tab. Call it straight from the click: the tab opens before the file is fetched, since
 * browsers block tabs that open later.
 * @param fileName For saving it, where the browser opens no tab.
 * @returns once the file is shown, or the notice about a download manager is closed.
 * @throws ApiError when the server refuses; the empty tab is closed again.
 */
export async function openFile<R extends Route>(route: R, input: Input<R>, fileName: string): Promise<void> {
  const tab = openEmptyTab()
  try {
    showInTab(tab, await callFile(route, input), fileName)
  } catch (error) {
    tab?.close()
    if (!(error instanceof NetworkError)) throw error
    await showNotice({ title: m.idm_error_title(), text: m.idm_error_text() })
  }
}

/** Opens a file that is already here in a new tab. @param fileName As `openFile` takes it. */
export function openBlob(blob: Blob, fileName: string): void {
  showInTab(openEmptyTab(), blob, fileName)
}

/** Offers a file for saving under a name. */
export function saveBlob(blob: Blob, fileName: string): void {
  const link = document.createElement('a')
  link.href = makeObjectUrl(blob)
  link.download = fileName
  link.click()
}

function openEmptyTab(): Window | null {
  const tab = window.open('', '_blank')
  if (!tab) return null
  tab.opener = null
  tab.document.title = m.product_name()
  tab.document.body.textContent = m.loading()
  return tab
}

/** Without a tab (blocked), the file is offered for saving instead. */
function showInTab(tab: Window | null, blob: Blob, fileName: string): void {
  if (!OPENABLE.has(blob.type)) {
    tab?.close()
    throw new Error(`A file of type ${blob.type || 'unknown'} is not opened.`)
  }
  if (tab) tab.location.replace(makeObjectUrl(blob))
  else saveBlob(blob, fileName)
}

/** The address lives one second (specification section 9): by then the tab has read it. */
function makeObjectUrl(blob: Blob): string {
  const url = URL.createObjectURL(blob)
  setTimeout(() => URL.revokeObjectURL(url), OBJECT_URL_REVOKE_MS)
  return url
}
