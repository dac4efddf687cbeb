import { m } from '../paraglide/messages.js'

// Named one by one: looking keys up in the whole catalogue would load all of it with every form.
const WORDS: Partial<Record<string, () => string>> = {
  birthdate_invalid: m.birthdate_invalid,
  collection_title_required: m.collection_title_required,
  collection_title_too_long: m.collection_title_too_long,
  comment_empty: m.comment_empty,
  comment_too_long: m.comment_too_long,
  content_order_invalid: m.content_order_invalid,
  content_title_required: m.content_title_required,
  content_title_too_long: m.content_title_too_long,
  decision_invalid: m.decision_invalid,
  default_description_hides_answer: m.default_description_hides_answer,
  description_required: m.description_required,
  description_too_long: m.description_too_long,
  email_invalid: m.email_invalid,
  expire_time_invalid: m.expire_time_invalid,
  field_required: m.field_required,
  flag_invalid: m.flag_invalid,
  id_invalid: m.id_invalid,
  name_too_long: m.name_too_long,
  new_passwords_do_not_match: m.new_passwords_do_not_match,
  ordering_invalid: m.ordering_invalid,
  otp_malformed: m.otp_malformed,
  page_below_one: m.page_below_one,
  password_rule: m.password_rule,
  password_too_long: m.password_too_long,
  passwords_do_not_match: m.passwords_do_not_match,
  phone_invalid: m.phone_invalid,
  position_invalid: m.position_invalid,
  search_too_long: m.search_too_long,
  superuser_only_taken: m.superuser_only_taken,
  text_malformed: m.text_malformed,
  text_one_line: m.text_one_line,
  ticket_message_empty: m.ticket_message_empty,
  ticket_message_too_long: m.ticket_message_too_long,
  ticket_title_required: m.ticket_title_required,
  ticket_title_too_long: m.ticket_title_too_long,
  title_type_invalid: m.title_type_invalid,
  token_invalid: m.token_invalid,
  two_factor_code_wrong: m.two_factor_code_wrong,
  upload_id_invalid: m.upload_id_invalid,
  user_one_field: m.user_one_field,
  username_characters: m.username_characters,
  username_marks: m.username_marks,
  username_one_script: m.username_one_script,
  username_too_long: m.username_too_long,
}

/** Words of a validation message: a key for the contract's own rules, already text for the library's. */
export function sayIssue(message: string | undefined): string | undefined {
  return message === undefined ? undefined : (WORDS[message]?.() ?? message)
}
