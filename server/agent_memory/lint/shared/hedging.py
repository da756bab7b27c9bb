"""Words beside a reference that say it need not be there.

An example, something that is to be made, was removed, is optional or somebody else's: most of
these words the rules about references know in English each by itself; what says that the thing is
gone or elsewhere is here. Memory is written in every language, and a rule that understands only
one would be wrong in all the others.
"""

from __future__ import annotations

import re

from agent_memory.base.lazy_regex import lazy_compile

GONE = lazy_compile(
    r"\b(?:replac|supersed)(?:es?|ed|ing)\b(?! (?:by|with)\b)(?:[^.;]|\.\w){0,80}` `"
    r"|` `[^`]{0,60}\b(?:replac|supersed)ed\b"
    r"|\bno (?:[\w-]+ )?` `|\bwithout (?:an? )?` `|\bany ?more\b|\bgone\b|\byet\b|\bin favou?r of\b"
    r"|\b(?:dropped|retired|discontinued|obsolete|outdated|disappeared|formerly|previously)\b"
    r"|` `\W{0,3}(?:was|were|became|used to)\b|\bwe used to\b|` `\W{0,3}(?:is|are) now `"
    r"|\bsplit (?:up )?(?:the )?(?:[\w-]+ )?` `"
    r"|` `\W{0,3}(?:(?:is|are|has been|have been|got) )?split\b"
    r"|\btodo(?::|\W{0,3}(?:` `|[)\]]))|\btbd\b|\(new\)|\bcoming soon\b"
    r"|\bpersonal\b|\byour own\b|\belsewhere\b"
    r"|\b(?:other|another|different|separate|sibling|foreign) (?:[\w-]+ )?(?:repo|project|checkout)"
    r"|\b(?:the|our|their|its) (?!(?:same|current|whole|entire|present|git|mono|root)\b)[\w./`-]+ "
    r"repo(?:s|sitory|sitories)?\b"
)
"""English: it is gone, replaced, still to come, or in another repository.

To be searched in lower case, where "` `" stands for the reference: what replaces something is said
to be there, what is replaced is not.
"""

_CHINESE = (
    "例如|比如|譬如|示例|范例|範例|生成|创建|創建|新建|新增|建立|产生|產生|输出|輸出|写入|寫入|保存|儲存|存储"
    "|删除|刪除|移除|不再|不存在|没有|沒有|不要|请勿|請勿|禁止|废弃|廢棄|旧|舊|如果|若|可选|可選|可能|应该"
    "|取代|替换|替換|以前|曾经|曾經"
    "|應該|将|將|计划|計劃|模板|占位|重命名|移动|移動|迁移|遷移|忽略|本地|下载|下載|复制|複製|外部|命名"
)
_JAPANESE = (
    "例えば|例[:：)）]|作成|出力|書き込|書き出|削除|廃止|古い|もし|場合|任意|予定|ない|ません"
    "|テンプレ|リネーム|移行|無視|ローカル|ダウンロード|コピー|置き換|以前"
)
_KOREAN = (
    "예를|예시|예:|생성|만들|출력|저장|삭제|제거|않|없|폐기|만약|경우|선택|템플릿|이동|무시"
    "|로컬|복사|대체|이전에"
)
_RUSSIAN = (
    "например|созда|генерир|вывод|запис|сохран|удал|устар|\\bне\\b|\\bнет\\b|если|опционал|шаблон"
    "|переимен|перенес|игнор|локальн|скач|копи|замен|раньше"
)
_GERMAN = (
    r"\bz\. ?b\.|beispiel|erstell|erzeug|generier|ausgabe|schreib|speicher|lösch|entfern|veraltet"
    r"|\bnicht\b|\bkein|\bwenn\b|vorlage|umbenenn|verschieb|lokal|kopier|ersetz|abgelöst|\bfrüher|ehemal|vormals|bisher|entfäll|entfallen"
    r"|aufgeteilt|persönlich|geplant|künftig"
)
_FRENCH = (
    r"exemple|\bcré[eé]|g[ée]n[éè]r|sortie|écri[rt]|enregistr|supprim|obsolèt|\bancien(?:ne)?s?\b|\bpas\b|jamais"
    r"|modèle|renomm|déplac|remplac|autrefois"
)
_SPANISH_PORTUGUESE_ITALIAN = (
    r"ejemplo|exemplo|esempio|\bcrea(?:r|d[oa])?\b|\bcriad[oa]\b|\bgener(?:a|ad[oa]|ar)\b"
    r"|\bgera(?:r|d[oa])\b|salida|saída|\bescrib|guardar?\b|elimina|borra|apaga|obsolet|antigu|antig[oa]|\bnão\b|\bnunca\b|opcional|plantilla|\bmover?\b"
    r"|reemplaz|sustitu|substitu|sostitu"
)
_POLISH_TURKISH = (
    r"przykład|\btwórz|\btworz|generuj|zapis|\busu[ńn]|\bnie\b|jeśli|szablon|zastąp|wcześniej"
    r"|örne[ğk]|oluştur|üret|çıktı|kaydet|\bsilin|değil|eğer|şablon|yerine"
)
ELSEWHERE = lazy_compile(
    "|".join(
        (
            *(_CHINESE, _JAPANESE, _KOREAN, _RUSSIAN),
            *(_GERMAN, _FRENCH, _SPANISH_PORTUGUESE_ITALIAN, _POLISH_TURKISH),
        )
    )
)
"""To be searched in lower case."""

EXAMPLE = lazy_compile(
    "例如|比如|譬如|示例|范例|範例|模板|占位|例えば|例[:：)）]|テンプレ|예를|예시|예:|템플릿"
    r"|например|шаблон|\bz\. ?b\.|beispiel|vorlage|exemple|ejemplo|exemplo|esempio|plantilla"
    "|przykład|szablon|örne[ğk]|şablon"
)
"""The same for links, which seldom are mentioned only to say that they lead nowhere."""

HEADING = lazy_compile(
    "示例|范例|範例|例子|模板|计划|計劃|路线图|历史|歷史|更新日志|テンプレ|予定|履歴|サンプル|예시|계획|템플릿"
    "|пример|шаблон|beispiel|vorlage|verlauf|ejemplo|exemplo|exemple|plantilla|modèle|przykład|örnek",
    re.IGNORECASE,
)
"""Headings of sections that hold examples, plans or the past."""
