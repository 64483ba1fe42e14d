/**
 * Words on controls that do something for somebody: buy, send, delete, upload, sign in or out, agree to a contract. Whole words in languages
 * with spaces, anywhere in languages without.
 */
const SPACED = [
  'buy|purchase|order|checkout|check ?out|pay|donate|subscribe|unsubscribe|bid|book|reserve|rent|add to (?:cart|bag|basket)|place order',
  'delete|remove|erase|destroy|wipe|reset|deactivate|cancel (?:my|order|subscription|account|booking)|close account|clear all|discard',
  'send|submit|post|publish|reply|share|invite|follow|unfollow|like|vote|report abuse|comment|confirm|save|apply now|apply|enrol|enroll|register',
  'upload|attach|import|transfer|withdraw|deposit',
  'sign ?(?:up|in|out)|log ?(?:in|out|on|off)|logout|login|create (?:an )?account|join|install|authorize|authorise|grant|connect wallet',
  'kaufen|bestellen|bezahlen|kasse|warenkorb|löschen|entfernen|senden|absenden|abschicken|hochladen|anmelden|abmelden|registrieren|abonnieren|kündigen',
  'acheter|commander|payer|panier|supprimer|effacer|envoyer|publier|téléverser|connexion|déconnexion|se connecter|s’inscrire|s.abonner',
  'comprar|pagar|carrito|eliminar|borrar|enviar|publicar|subir|iniciar sesión|cerrar sesión|registrarse|suscribirse',
  'acquista|carrello|elimina|cancella|invia|pubblica|carica file|accedi|esci|iscriviti|registrati|excluir|apagar|entrar|sair|assinar',
  'купить|заказать|оплатить|удалить|отправить|опубликовать|загрузить файл|войти|выйти|зарегистрироваться|подписаться',
] as const;
const UNSPACED =
  '购买|下单|支付|付款|结算|加入购物车|删除|移除|清空|发送|提交|发布|发表|回复|评论|上传|登录|登入|登出|注册|注销|退出登录|订阅|退订|关注|点赞|投票|转账|預訂|购物车|購買|結帳|刪除|發送|購入|注文|削除|送信|投稿|ログイン|ログアウト|登録|구매|결제|삭제|보내기|로그인|가입';

const HARM = new RegExp(`(?<![\\p{L}\\p{N}])(?:${SPACED.join('|')})(?![\\p{L}\\p{N}])|${UNSPACED}`, 'iu');

/** Words on controls that only show more of what can be read. */
const READING = new RegExp(
  [
    '(?<![\\p{L}\\p{N}])(?:load|show|see|view|read|display|get|fetch|browse)(?: (?:the|all|\\d+))? ?(?:more|next|older|newer|previous|rest|all|details?|results?|full|answers?|replies|comments)',
    '^(?:more|next|previous|prev|older|newer|first|last|back|expand|collapse|details?|menu|continue reading|read on|search|find|go|filter|sort|page|close|dismiss|not now|no thanks|skip)\\b',
    '(?:reject|decline|refuse|deny)(?: all)?|only (?:necessary|essential)|necessary only',
    '^\\s*(?:\\d{1,4}|[«»‹›<>←→…+−-]{1,2}|×|✕)\\s*$',
    '^page \\d+|^\\d+ more',
    'mehr (?:anzeigen|laden)|weiter(?:lesen)?|nächste|vorherige|zurück|suchen?|ablehnen|alle anzeigen',
    '(?:afficher|voir|charger|lire) (?:plus|la suite|tout)|suivant|précédent|rechercher|refuser',
    '(?:ver|mostrar|cargar|leer) más|siguiente|anterior|buscar|rechazar|mostra altro|carica altri|avanti|indietro|cerca|rifiuta',
    'показать ещё|показать еще|загрузить ещё|далее|назад|поиск|найти|отклонить',
    '加载更多|载入更多|显示更多|查看更多|更多|下一页|上一页|下页|上页|展开|收起|搜索|查询|检索|全部|拒绝|載入更多|顯示更多|下一頁|もっと見る|次へ|前へ|検索|더 보기|다음|이전|검색',
  ].join('|'),
  'iu',
);

export function soundsHarmful(text: string): boolean {
  return HARM.test(text);
}

export function soundsLikeReading(text: string): boolean {
  return READING.test(text);
}
