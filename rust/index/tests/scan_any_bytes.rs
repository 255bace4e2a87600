//! No bytes make the scanner panic, loop or read outside of the source.

use ctxsieve_index::{Table, scan_record};

const TABLE: &str = r##"{"kind":"code","interpreters":["sh"],"line_comments":["//","#"],"line_comment_after_space":false,
"line_comment_exceptions":["#["],"continued_line_comments":true,"block_comments":[["/*","*/"]],
"marked_comments":[{"open":"--[","mark":"=","min_marks":0,"open_end":"[","close":"]","close_end":"]"}],
"nested_comments":true,"line_start_comments":[["=begin","=end"]],"docstrings":true,"docstring_words":["@doc"],
"identifier_start":"$@","identifier_tail":"?!'","preprocessor":true,"column_zero_resets":true,
"newline_ends_statement":true,"braces_open_scopes":true,"modifiers":["pub"],"transparent":["ns"],
"typedef_words":["typedef"],
"strings":[
{"form":"quoted","open":"\"","close":"\"","escape":"\\","doubled":true,"multiline":true,"interpolation":["${","}"],
"prefixes":["r"],"mark":"","min_marks":0,"open_end":"","close_end":"","modifiers":"","indented":false,"spaces":false,
"uppercase":false,"introducers":[],"parts":1,"operand_words":[]},
{"form":"character","open":"'","close":"","escape":"\\","doubled":false,"multiline":false,"interpolation":[],
"prefixes":[],"mark":"","min_marks":0,"open_end":"","close_end":"","modifiers":"","indented":false,"spaces":false,
"uppercase":false,"introducers":[],"parts":1,"operand_words":[]},
{"form":"heredoc","open":"<<","close":"","escape":"\\","doubled":false,"multiline":false,"interpolation":[],
"prefixes":[],"mark":"","min_marks":0,"open_end":"","close_end":"","modifiers":"-~","indented":false,"spaces":true,
"uppercase":false,"introducers":[],"parts":1,"operand_words":[]},
{"form":"bracketed","open":"","close":"","escape":"\\","doubled":false,"multiline":false,"interpolation":[],
"prefixes":[],"mark":"","min_marks":0,"open_end":"","close_end":"","modifiers":"","indented":false,"spaces":false,
"uppercase":false,"introducers":["%q","s","%"],"parts":2,"operand_words":[]},
{"form":"regex","open":"/","close":"","escape":"\\","doubled":false,"multiline":false,"interpolation":[],
"prefixes":[],"mark":"","min_marks":0,"open_end":"","close_end":"","modifiers":"","indented":false,"spaces":false,
"uppercase":false,"introducers":[],"parts":1,"operand_words":["return"]}],
"definers":[{"keyword":"fn","kind":"function","scope":"any","at":"anywhere","skip":["*"],"skip_group":"<",
"joiners":["."],"followed_by":["("],"opens":"body","name":"identifier"},
{"keyword":"test","kind":"test","scope":"any","at":"anywhere","skip":[],"skip_group":"","joiners":[],"followed_by":[],
"opens":"type","name":"string"},
{"keyword":"#define","kind":"macro","scope":"any","at":"anywhere","skip":[],"skip_group":"","joiners":[],
"followed_by":[],"opens":"body","name":"identifier"}],
"bindings":[{"operators":["="],"kind":"variable","scope":"type","column_zero":false,"annotated":true,"pattern":"any",
"functions":[]}],
"callables":{"kind":"function","kind_in_type":"method","scope":"type","not":["if"],"joiners":[],"body":["{","=>"],
"semicolon_in_type":true},
"imports":[{"keyword":"use","at":"statement","end":["line",";","{"],"next":[],"drop_at":"(","requires":["x"]},
{"keyword":"require","at":"anywhere","end":["call"],"next":[],"drop_at":"","requires":[]},
{"keyword":".","at":"statement","end":["line"],"next":[],"drop_at":"","requires":[]}]}"##;

const PIECES: [&str; 46] = [
    "\"", "'", "\\", "${", "}", "{", "(", ")", "[", "]", "<<EOF", "EOF", "\n", "\r\n", "%q", "%",
    "/", "/*", "*/", "//", "#", "#define ", "#if\n", "#else\n", "#endif\n", "=begin\n", "=end\n",
    "--[==[", "]==]", "fn ", "test ", "use x", "require", ". f", "=", "=>", ";", ":", "name",
    "@doc", "typedef", "ns", "é", "\u{0}", "s{", "}{",
];

fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn pieces_in_any_order_are_scanned() {
    let tables = [Table::from_json(TABLE.as_bytes()).expect("the table is complete")];
    let mut state = 7;
    for _ in 0..20_000 {
        let count = next(&mut state) % 30;
        let mut source = Vec::new();
        for _ in 0..count {
            source.extend_from_slice(PIECES[next(&mut state) % PIECES.len()].as_bytes());
        }
        if next(&mut state).is_multiple_of(4) {
            source.push((next(&mut state) % 256) as u8);
        }
        let record = scan_record(&source, 0, &tables);
        assert_eq!(record, scan_record(&source, 0, &tables));
    }
}

#[test]
fn incomplete_table_names_the_missing_key() {
    let error = Table::from_json(b"{}").expect_err("keys are missing");
    assert!(error.to_string().contains("missing field"), "{error}");
}
