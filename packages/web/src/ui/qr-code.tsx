import { renderSVG } from 'uqr'

/** Light modules around the code (ISO/IEC 18004 section 9.1). */
const QUIET_MODULES = 4

/** A QR code, dark on white in either theme: many readers know no other. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const svg = renderSVG(text, { ecc: 'M', border: QUIET_MODULES })
  return <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={label} className="size-full" />
}
