/** What is done with odd files, for people who run the product. Each is shown by a test of the certify package. */
export const RULES = `## Rules

- **Passwords.** A file that opens with the empty password (it has an owner's password alone) is taken: nobody needs a
  password to read it, and the certified PDF, like every copy, is not encrypted. What its owner asked viewers not to allow
  does not carry over; the original keeps it. A file that does not open that way is refused as \`password_protected\`, also
  when only its attachments are locked, and one without an identifier opens as if that were empty. An encrypted file whose
  cross-reference table points beside its objects is read where nothing is left to choose: one table, one trailer, each object
  once. Otherwise, or where a part cannot be decrypted, it is refused as \`unreadable\`: it would come out garbled.
- **The first byte.** Before the header of a PDF a UTF-8 byte-order mark and blanks (tab, line feed, form feed, carriage
  return, space) may stand, up to 1,000 bytes: programs for text leave them. Anything else there makes the file refused
  (\`header_not_at_start\`): it can be two things at once. These cannot: whatever reads text skips them and comes to \`%PDF-\`, as
  it would at the first byte, and no format that is known by its first bytes begins with them. A null is no blank here,
  though PDF says so: formats made of boxes and chunks begin with the length of the first, and would skip the PDF as a box
  that they do not know. An original is served with its own media type, which browsers must not guess about, as before.
  Places in the file count from the header, as in pdf.js, Poppler, qpdf and PDFium. Where a table of objects is found by
  counting from the first byte too, and leads elsewhere, the file is refused as \`unreadable\`; where it is found only that way,
  the objects are searched for, as those readers do, and an object that is there twice makes the file refused.
- **Pages.** Pages are found by what they are. A page tree whose counts are not those of its pages, that names a branch twice, a
  page in two branches, or what is no page is refused as \`unreadable\`, and so is a file whose first object tells readers on a
  network of other pages; without the end of the file it may be \`truncated\`. A page that one branch names twice is there
  twice, except where pdf.js does not find it: as the last one, and before that elsewhere than at the start. Pages are never left
  out, added or left blank silently. Branches without pages may be named as often as they like.
- **Syntax.** Delimiters that nothing opened and words where a key is due are stepped over, as other readers do. A
  cross-reference table that leads nowhere makes the objects be searched for; where that would leave out a newer revision,
  the file is refused as \`unreadable\`.
- **One look.** A copy shows what the reviewer's reader shows of the original, in every reader and on paper (record 23).
  **Layers** are gone: what is hidden on a screen when the file is opened is cut out, the rest is part of the page.
  **Annotations** and **form fields** become part of the page, as a screen shows them; only links stay, and their frames are
  drawn. A form that asks viewers to draw its fields has them drawn from their values, also where they have a picture; what has
  none is always drawn.
- **Content** of a page that cannot be unpacked, that has a fault within its data, or that the file's table of objects misses,
  makes the file \`unreadable\`; so does a form with a fault within its data. Behind the fault pdf.js and Poppler go on and
  PDFium and MuPDF stop. A wrong checksum, too small a window and a missing end are no such faults: all is taken that is there.
- **Signatures** of the original are void in a copy: the field goes, its picture stays, the manifest says \`was_signed\`.
- **Active content** goes and is listed in the manifest; a player that shows a picture keeps it.
- **Photographs** go in as they are, turned upright by their Exif orientation, with Adobe's inverted inks read as such, and
  with their colour profile where it is sound and fits. What a PNG says of its colours without a profile (\`gAMA\`, \`cHRM\`,
  \`cICP\`) is passed over. A JPEG with an uncommon sampling of colour is written anew, without loss. A JPEG whose compressed
  data are damaged is refused, as far as a decoder can tell: JPEG has no checksum. A PNG has: a wrong one is named.
`
